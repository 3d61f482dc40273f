package oral

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"testing"

	"anonymooc/internal/fault"
)

// recording makes a WAV file of a gliding tone, with chunks that tell who
// recorded it.
func recording(bits, channels, rate int, extensible bool) []byte {
	frames := rate // a second
	format := binary.LittleEndian.AppendUint16(nil, formatPCM)
	if extensible {
		format = binary.LittleEndian.AppendUint16(nil, formatExtensible)
	}
	format = binary.LittleEndian.AppendUint16(format, uint16(channels))
	format = binary.LittleEndian.AppendUint32(format, uint32(rate))
	format = binary.LittleEndian.AppendUint32(format, uint32(rate*channels*bits/8))
	format = binary.LittleEndian.AppendUint16(format, uint16(channels*bits/8))
	format = binary.LittleEndian.AppendUint16(format, uint16(bits))
	if extensible {
		format = binary.LittleEndian.AppendUint16(format, 22)
		format = binary.LittleEndian.AppendUint16(format, uint16(bits))
		format = binary.LittleEndian.AppendUint32(format, 3)
		format = append(format, pcmGUID...)
	}
	var data []byte
	for i := range frames {
		at := float64(i) / float64(rate)
		for range channels {
			data = appendSample(data, 0.4*math.Sin(2*math.Pi*(130+20*at)*at)+0.2*math.Sin(4*math.Pi*(130+20*at)*at), bits)
		}
	}
	var body []byte
	chunk := func(id string, b []byte) {
		body = append(body, id...)
		body = binary.LittleEndian.AppendUint32(body, uint32(len(b)))
		body = append(body, b...)
		if len(b)%2 == 1 {
			body = append(body, 0)
		}
	}
	chunk("bext", []byte("Octave Silence, 3 rue des Lilas"))
	chunk("fmt ", format)
	chunk("data", data)
	chunk("LIST", []byte("INFOIART\x08\x00\x00\x00Octave S"))
	raw := append([]byte("RIFF"), 0, 0, 0, 0)
	raw = append(append(raw, "WAVE"...), body...)
	binary.LittleEndian.PutUint32(raw[4:], uint32(len(raw)-8))
	return raw
}

func TestEveryKindOfWAV(t *testing.T) {
	for _, bits := range []int{8, 16, 24} {
		for channels := 1; channels <= 2; channels++ {
			for _, extensible := range []bool{false, true} {
				raw := recording(bits, channels, 16000, extensible)
				w := open(t, raw)
				cut := Range{4001, 12007}
				m := masked(t, w, cut)
				if m.Frames != w.Frames || m.Bits != bits || m.Channels != channels || m.Rate != 16000 {
					t.Fatalf("%d bits, %d channels: %+v", bits, channels, m)
				}
				sameOutside(t, w, m, cut)
				if c := pitchCorrelation(heard(t, w, cut), heard(t, m, cut), w.Rate); !(c > 0.9) {
					t.Errorf("%d bits, %d channels: the intonation correlates with %.2f", bits, channels, c)
				}
				a, b := heard(t, w, cut), heard(t, m, cut)
				same := 0
				for i := range a {
					if a[i] == b[i] {
						same++
					}
				}
				if same > len(a)/10 {
					t.Errorf("%d bits, %d channels: %d of %d samples of the cut stayed", bits, channels, same, len(a))
				}
			}
		}
	}
}

func TestOnlySamplesAreReleased(t *testing.T) {
	w := open(t, recording(8, 1, 8001, false)) // of odd length
	var out bytes.Buffer
	if err := w.WriteMasked(context.Background(), &out, nil); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(out.Bytes(), []byte("Octave")) {
		t.Error("who recorded it is in the release")
	}
	if size := binary.LittleEndian.Uint32(out.Bytes()[4:]); int(size) != out.Len()-8 || out.Len()%2 != 0 {
		t.Errorf("the file says it has %d bytes and has %d", size+8, out.Len())
	}
}

// TestLongCutsGoOn hums a cut that is longer than what is hummed at once: where
// two stretches meet the hum neither stops nor leaps.
func TestLongCutsGoOn(t *testing.T) {
	const rate = 8000
	second := recording(16, 1, rate, false)
	w := open(t, second)
	one := make([]byte, w.Frames*2)
	w.in.ReadAt(one, w.data)
	raw := bytes.Repeat(one, 2*humBlock+3)
	long := &WAV{Name: "long.wav", Channels: 1, Rate: rate, Bits: 16, Frames: int64(len(raw) / 2), in: bytes.NewReader(raw), format: w.format}
	m := masked(t, long, Range{0, long.Frames})
	x := heard(t, m, Range{0, m.Frames})
	for i := 1; i < len(x); i++ {
		if math.Abs(x[i]-x[i-1]) > 0.35 {
			t.Fatalf("the hum leaps by %.2f at %.3f s", x[i]-x[i-1], float64(i)/rate)
		}
	}
	for at := rate / 10; at+rate/10 < len(x); at += rate / 10 {
		if root(x[at:at+rate/10]) < 0.05 {
			t.Fatalf("the hum stops at %.1f s", float64(at)/rate)
		}
	}
}

func TestSilenceStaysSilent(t *testing.T) {
	raw := recording(16, 1, 8000, false)
	w := open(t, raw)
	for i := w.data; i < w.data+w.Frames*2; i++ {
		raw[i] = 0
	}
	m := masked(t, w, Range{0, w.Frames})
	if r := root(heard(t, m, Range{0, m.Frames})); r != 0 {
		t.Errorf("silence became %.4f", r)
	}
}

func TestOtherRecordingsAreRefused(t *testing.T) {
	good := recording(16, 1, 16000, false)
	format := bytes.Index(good, []byte("fmt ")) + 8
	patch := func(at int, b ...byte) []byte {
		raw := bytes.Clone(good)
		copy(raw[at:], b)
		return raw
	}
	guid := recording(16, 1, 16000, true)
	copy(guid[format+24:], []byte{3})
	for name, raw := range map[string][]byte{
		"empty": nil, "text": []byte("bonjour, ceci est un texte"), "RF64": patch(0, 'R', 'F', '6', '4'), "big-endian": patch(0, 'R', 'I', 'F', 'X'),
		"floating point": patch(format, 3), "MP3 inside": patch(format, 0x55), "float in extensible": guid,
		"32 bits": patch(format+14, 32), "six channels": patch(format+2, 6), "no rate": patch(format+4, 0, 0, 0, 0), "frame contradicts": patch(format+12, 7),
		"cut short": good[:len(good)/2], "never finished": patch(bytes.Index(good, []byte("data"))+4, 0xff, 0xff, 0xff, 0xff), "no samples": good[:format+16],
	} {
		_, err := OpenWAV("x.wav", bytes.NewReader(raw), int64(len(raw)))
		if fault.CodeOf(err) != fault.Usage || err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
