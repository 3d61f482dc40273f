package oral

import (
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"anonymooc/internal/debian"
)

// espeak finds the speech synthesiser: a hum that was never made of speech is not tested.
func espeak(t testing.TB) string {
	t.Helper()
	return debian.Program(t, "espeak-ng", "espeak-ng")
}

// say has a voice read a text: 22,050 Hz, 16 bits, mono.
func say(t testing.TB, voice, text string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "speech.wav")
	if out, err := exec.Command(espeak(t), "-v", voice, "-p", "55", "-w", path, text).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func open(t testing.TB, raw []byte) *WAV {
	t.Helper()
	w, err := OpenWAV("speech.wav", bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func masked(t testing.TB, w *WAV, cuts ...Range) *WAV {
	t.Helper()
	var out bytes.Buffer
	if err := w.WriteMasked(context.Background(), &out, cuts); err != nil {
		t.Fatal(err)
	}
	return open(t, out.Bytes())
}

func heard(t testing.TB, w *WAV, r Range) []float64 {
	t.Helper()
	channels, err := w.samples(r.From, r.To)
	if err != nil {
		t.Fatal(err)
	}
	return channels[0]
}

// TestHum reads what the hum promises off real waves: how long and how high the
// voice was stays, and the rest of the recording; what it said does not.
func TestHum(t *testing.T) {
	for _, speech := range []struct{ voice, text string }{
		{"fr", "Bonjour, je m'appelle Zéphyrine Brun, et vous, vous venez d'où ? Ah, de Nogent ! Ma mère y est née, figurez-vous."},
		{"en+f3", "Well, my name is Octave Silence. Do you remember what she told us? I do not, I really do not, and that is a pity."},
		{"es", "¿Cómo se llama usted? Me llamo Capucine, y mi hermano se llama Anselmo. ¡Qué casualidad!"},
	} {
		t.Run(speech.voice, func(t *testing.T) {
			w := open(t, say(t, speech.voice, speech.text))
			cut := Range{int64(w.Rate) / 2, w.Frames - int64(w.Rate)/2}
			m := masked(t, w, cut)
			if m.Frames != w.Frames || m.Rate != w.Rate || m.Bits != w.Bits || m.Channels != w.Channels {
				t.Fatalf("the recording was %+v and is %+v", w, m)
			}
			sameOutside(t, w, m, cut)
			before, after := heard(t, w, cut), heard(t, m, cut)
			if c := pitchCorrelation(before, after, w.Rate); !(c > 0.8) {
				t.Errorf("the intonation correlates with %.2f", c)
			} else {
				t.Logf("intonation %.3f, envelope %.3f", c, envelopeCorrelation(before, after, w.Rate))
			}
			if share := energyAbove(after, 2000, w.Rate) / energyAbove(after, 0, w.Rate); share > 1e-3 {
				t.Errorf("a share of %.4f of the hum is above 2 kHz, where sounds are told apart", share)
			}
			noisy := make([]float64, len(before)) // what the measure says of speech that can be understood
			for i, v := range before {
				noisy[i] = 0.3*v + 0.001*math.Sin(float64(i)*float64(i))
			}
			if c := envelopeCorrelation(before, noisy, w.Rate); c < 0.8 {
				t.Fatalf("the measure gives speech with itself %.2f", c)
			}
			if c := envelopeCorrelation(before, after, w.Rate); math.Abs(c) > 0.25 {
				t.Errorf("the spectral envelope correlates with %.2f", c)
			}
			if a, b := root(before), root(after); b < a/3 || b > a*3 {
				t.Errorf("loudness was %.3f and is %.3f", a, b)
			}
		})
	}
}

// sameOutside compares two recordings but for a cut.
func sameOutside(t testing.TB, w, m *WAV, cut Range) {
	t.Helper()
	frame := int64(w.frame())
	for _, part := range []Range{{0, cut.From}, {cut.To, w.Frames}} {
		a, b := make([]byte, (part.To-part.From)*frame), make([]byte, (part.To-part.From)*frame)
		w.in.ReadAt(a, w.data+part.From*frame)
		m.in.ReadAt(b, m.data+part.From*frame)
		if !bytes.Equal(a, b) {
			t.Error("samples outside of the cut have changed")
		}
	}
}

// pitchOf is another way to find a pitch than the hum's own: the average magnitude
// difference of the lowest harmonics, which is least at a period. 0 where there is
// none.
func pitchOf(x []float64, rate int) float64 {
	shortest, longest, width := rate/400, rate/60, rate/900
	if len(x) < 2*longest+width || root(x) < 0.01 {
		return 0
	}
	low := make([]float64, len(x)-width)
	for i := range low {
		for _, v := range x[i : i+width] {
			low[i] += v
		}
	}
	differences := make([]float64, longest+1)
	mean := 0.0
	for lag := shortest; lag <= longest; lag++ {
		for i := range len(low) - longest {
			differences[lag] += math.Abs(low[i] - low[i+lag])
		}
		mean += differences[lag] / float64(longest-shortest+1)
	}
	best := slices.Min(differences[shortest:])
	if best > 0.3*mean {
		return 0
	}
	for lag := shortest + 1; lag < longest; lag++ {
		if d := differences[lag]; d < best+0.15*mean && d <= differences[lag-1] && d <= differences[lag+1] {
			return float64(rate) / float64(lag)
		}
	}
	return 0
}

func pitchCorrelation(a, b []float64, rate int) float64 {
	f, g := voiced(a, rate), voiced(b, rate)
	var one, other []float64
	for i := range f {
		if f[i] > 0 && g[i] > 0 {
			one, other = append(one, math.Log(f[i])), append(other, math.Log(g[i]))
		}
	}
	if len(one) < 30 {
		return math.NaN()
	}
	return correlation(one, other)
}

// voiced follows the pitch, but where it leaps between two looks, which no voice
// does: there was none.
func voiced(x []float64, rate int) []float64 {
	var curve []float64
	for at := 0; at+rate/20 < len(x); at += rate / 100 {
		curve = append(curve, pitchOf(x[at:at+rate/20], rate))
	}
	calm := make([]float64, len(curve))
	for i := 1; i+1 < len(curve); i++ {
		if math.Abs(curve[i]-curve[i-1]) < 0.1*curve[i] && math.Abs(curve[i]-curve[i+1]) < 0.1*curve[i] {
			calm[i] = curve[i]
		}
	}
	return calm
}

func correlation(a, b []float64) float64 {
	var ma, mb float64
	for i := range a {
		ma, mb = ma+a[i]/float64(len(a)), mb+b[i]/float64(len(b))
	}
	var ab, aa, bb float64
	for i := range a {
		ab, aa, bb = ab+(a[i]-ma)*(b[i]-mb), aa+(a[i]-ma)*(a[i]-ma), bb+(b[i]-mb)*(b[i]-mb)
	}
	return ab / math.Sqrt(aa*bb)
}

// power is the energy of a frame at a frequency.
func power(x []float64, frequency float64, rate int) float64 {
	var re, im float64
	for i, v := range x {
		w := 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(len(x)))
		angle := 2 * math.Pi * frequency * float64(i) / float64(rate)
		re, im = re+w*v*math.Cos(angle), im+w*v*math.Sin(angle)
	}
	return re*re + im*im
}

func energyAbove(x []float64, from, rate int) float64 {
	sum := 0.0
	for at := 0; at+1024 < len(x); at += 8192 {
		for f := float64(from) + 20; f < float64(rate)/2; f += 40 {
			sum += power(x[at:at+1024], f, rate)
		}
	}
	return sum
}

// envelopeCorrelation compares how the shape of two spectra moves: the energy of
// eight bands between 300 Hz and 4 kHz against each other and against their mean,
// as vowels differ by. Looks at which nobody speaks do not count.
func envelopeCorrelation(a, b []float64, rate int) float64 {
	edges := []float64{300, 500, 750, 1050, 1400, 1850, 2400, 3100, 4000}
	shapes := func(x []float64) [][]float64 {
		var all [][]float64
		for at := 0; at+1024 < len(x); at += 1024 {
			shape := make([]float64, len(edges)-1)
			mean := 0.0
			for i := range shape {
				for f := edges[i]; f < edges[i+1]; f += 50 {
					shape[i] += power(x[at:at+1024], f, rate)
				}
				shape[i] = math.Log(shape[i] + 1e-9)
				mean += shape[i] / float64(len(shape))
			}
			for i := range shape {
				shape[i] -= mean
			}
			all = append(all, shape)
		}
		return all
	}
	first, second := shapes(a), shapes(b)
	var one, other []float64
	for band := range len(edges) - 1 {
		var x, y []float64
		for i := range first {
			if root(a[i*1024:i*1024+1024]) > 0.02 {
				x, y = append(x, first[i][band]), append(y, second[i][band])
			}
		}
		mx, my := 0.0, 0.0
		for i := range x {
			mx, my = mx+x[i]/float64(len(x)), my+y[i]/float64(len(x))
		}
		for i := range x {
			one, other = append(one, x[i]-mx), append(other, y[i]-my)
		}
	}
	return correlation(one, other)
}
