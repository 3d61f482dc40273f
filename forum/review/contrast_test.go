package review

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestColoursCanBeRead: whatever is written has a contrast of 4.5 to what is
// behind it, light and dark (WCAG 2.2, criterion 1.4.3, level AA).
func TestColoursCanBeRead(t *testing.T) {
	style, err := assets.ReadFile("assets/static/review.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark, found := strings.Cut(string(style), "prefers-color-scheme: dark")
	if !found {
		t.Fatal("there is no dark scheme")
	}
	pairs := [][2]string{
		{"ink", "paper"}, {"ink", "card"}, {"soft", "paper"}, {"soft", "card"}, {"accent", "paper"}, {"accent", "card"},
		{"mask", "mask-bg"}, {"keep", "keep-bg"}, {"unsure", "unsure-bg"}, {"mask", "card"}, {"keep", "card"}, {"unsure", "card"},
		{"ink", "person"}, {"ink", "place"}, {"ink", "contact"}, {"ink", "fact"}, {"soft", "person"},
	}
	declared := regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{6})`)
	for name, text := range map[string]string{"light": light, "dark": dark} {
		colours := make(map[string]float64)
		for _, m := range declared.FindAllStringSubmatch(text, -1) {
			colours[m[1]] = luminance(t, m[2])
		}
		for _, p := range pairs {
			one, other := colours[p[0]], colours[p[1]]
			if ratio := (math.Max(one, other) + 0.05) / (math.Min(one, other) + 0.05); ratio < 4.5 {
				t.Errorf("%s: %s on %s has a contrast of %.2f", name, p[0], p[1], ratio)
			}
		}
	}
}

// luminance is the relative luminance of a colour (WCAG 2.2).
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
