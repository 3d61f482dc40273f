package oral

import (
	"math"
	"slices"
)

// Hummer turns speech into a hum. Of each hundredth of a second it hears how high
// the voice is (autocorrelation) and how loud (smoothed over a third of a second,
// so that no syllable stands out), and sings that on one vowel: harmonics whose
// proportions never change. Formants, bursts and hisses, from which sounds are
// known, are not in it: they were never copied, the hum is made of two slow
// curves.
type Hummer struct {
	rate  int
	phase float64 // of the fundamental, in cycles
	last  float64 // pitch, where nothing says otherwise
}

// NewHummer makes the hummer of one channel.
func NewHummer(rate int) *Hummer { return &Hummer{rate: rate, last: 120} }

// How a voice is heard.
const (
	hop         = 0.010 // seconds between two looks
	window      = 0.040 // seconds of a look
	lowest      = 60.0  // Hz
	highest     = 400.0 // Hz
	periodic    = 0.50  // least autocorrelation of a voice
	quiet       = 0.002 // below this root mean square nobody speaks
	loudnessArm = 15    // looks on each side over which loudness is smoothed
)

// harmonics of the hum, whose squares sum up to one.
var harmonics = func() []float64 {
	weights := []float64{1, 0.5, 0.25, 0.12, 0.06}
	sum := 0.0
	for _, a := range weights {
		sum += a * a / 2
	}
	for i := range weights {
		weights[i] /= math.Sqrt(sum)
	}
	return weights
}()

// Hum gives what stands for heard[from:to]; the rest of heard surrounds it.
func (h *Hummer) Hum(heard []float64, from, to int) []float64 {
	step := float64(h.rate) * hop
	pitch, loudness := h.listen(heard)
	if len(pitch) == 0 {
		return make([]float64, to-from)
	}
	h.last = fill(pitch, h.last)
	smooth(pitch, 1)
	smooth(loudness, loudnessArm)
	out := make([]float64, to-from)
	for i := range out {
		at := float64(from+i) / step
		f, a := between(pitch, at), between(loudness, at)
		h.phase += f / float64(h.rate)
		h.phase -= math.Floor(h.phase)
		v := 0.0
		for n, weight := range harmonics {
			if f*float64(n+1) < 0.45*float64(h.rate) {
				v += weight * math.Sin(2*math.Pi*h.phase*float64(n+1))
			}
		}
		out[i] = a * v
	}
	return out
}

// between reads a curve between two looks.
func between(curve []float64, at float64) float64 {
	i := int(at)
	if i >= len(curve)-1 {
		return curve[len(curve)-1]
	}
	part := at - float64(i)
	return curve[i]*(1-part) + curve[i+1]*part
}

// listen gives pitch (0 where there is no voice) and loudness at each look.
func (h *Hummer) listen(heard []float64) (pitch, loudness []float64) {
	low, rate := lower(heard, h.rate)
	looks := int(float64(len(heard)) / (float64(h.rate) * hop))
	half := int(window * rate / 2)
	for i := range looks {
		centre := int(float64(i) * hop * rate)
		from, to := max(centre-half, 0), min(centre+half, len(low))
		rms := root(low[from:to])
		loudness = append(loudness, rms)
		f := 0.0
		if rms > quiet {
			f = fundamental(low[from:min(to+half, len(low))], rate)
		}
		pitch = append(pitch, f)
	}
	return median(pitch), loudness
}

// lower samples a signal at about 8 kHz, where all of a voice's pitch is.
func lower(heard []float64, rate int) ([]float64, float64) {
	factor := max(rate/8000, 1)
	low := make([]float64, 0, len(heard)/factor+1)
	for at := 0; at+factor <= len(heard); at += factor {
		sum := 0.0
		for _, v := range heard[at : at+factor] {
			sum += v
		}
		low = append(low, sum/float64(factor))
	}
	return low, float64(rate) / float64(factor)
}

func root(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(max(len(x), 1)))
}

// fundamental finds the pitch of a look by normalised autocorrelation: the
// shortest period that is nearly as good as the best, because every multiple of a
// period is one too.
func fundamental(x []float64, rate float64) float64 {
	shortest, longest := int(rate/highest), int(rate/lowest)
	if len(x) < longest+shortest {
		return 0
	}
	mean := 0.0
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	centred := make([]float64, len(x))
	for i, v := range x {
		centred[i] = v - mean
	}
	n := len(x) - longest
	scores := make([]float64, longest+2)
	best := 0.0
	for lag := shortest; lag <= longest; lag++ {
		ab, aa, bb := 0.0, 0.0, 0.0
		for i := range n {
			a, b := centred[i], centred[i+lag]
			ab, aa, bb = ab+a*b, aa+a*a, bb+b*b
		}
		if aa > 0 && bb > 0 {
			scores[lag] = ab / math.Sqrt(aa*bb)
		}
		best = max(best, scores[lag])
	}
	if best < periodic {
		return 0
	}
	for lag := shortest + 1; lag < longest; lag++ {
		if s := scores[lag]; s >= 0.92*best && s >= scores[lag-1] && s >= scores[lag+1] {
			curve := scores[lag-1] - 2*s + scores[lag+1]
			offset := 0.0
			if curve < 0 {
				offset = 0.5 * (scores[lag-1] - scores[lag+1]) / curve
			}
			return rate / (float64(lag) + offset)
		}
	}
	return 0
}

// median takes single leaps out of a pitch curve.
func median(pitch []float64) []float64 {
	const arm = 2
	calm := make([]float64, len(pitch))
	for i := range pitch {
		var voiced []float64
		for _, f := range pitch[max(i-arm, 0):min(i+arm+1, len(pitch))] {
			if f > 0 {
				voiced = append(voiced, f)
			}
		}
		if len(voiced) <= arm {
			continue // a voice lasts longer
		}
		slices.Sort(voiced)
		calm[i] = voiced[len(voiced)/2]
	}
	return calm
}

// fill draws the pitch on where there is no voice, so that the hum does not tell
// which sounds had none. It returns the last pitch.
func fill(pitch []float64, last float64) float64 {
	for i := 0; i < len(pitch); {
		if pitch[i] > 0 {
			last = pitch[i]
			i++
			continue
		}
		j := i
		for j < len(pitch) && pitch[j] == 0 {
			j++
		}
		next := last
		if j < len(pitch) {
			next = pitch[j]
			if i == 0 {
				last = next
			}
		}
		for k := i; k < j; k++ {
			pitch[k] = last + (next-last)*float64(k-i+1)/float64(j-i+1)
		}
		i = j
	}
	return last
}

// smooth averages a curve over arm values on each side, the nearer the more.
func smooth(curve []float64, arm int) {
	old := slices.Clone(curve)
	for i := range curve {
		sum, weight := 0.0, 0.0
		for k := max(i-arm, 0); k <= min(i+arm, len(old)-1); k++ {
			w := 0.5 + 0.5*math.Cos(math.Pi*float64(k-i)/float64(arm+1))
			sum, weight = sum+w*old[k], weight+w
		}
		curve[i] = sum / weight
	}
}
