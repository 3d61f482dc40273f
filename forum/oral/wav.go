package oral

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"

	"anonymooc/internal/fault"
)

// WAV is a recording: PCM of 8, 16 or 24 bits, mono or stereo.
type WAV struct {
	Name     string
	Channels int
	Rate     int
	Bits     int
	Frames   int64 // samples of each channel

	in     io.ReaderAt
	data   int64 // where the samples begin
	format []byte
}

// Seconds is how long the recording is.
func (w *WAV) Seconds() float64 { return float64(w.Frames) / float64(w.Rate) }

// frame is the size of one sample of all channels.
func (w *WAV) frame() int { return w.Channels * w.Bits / 8 }

// The codes of the fmt chunk.
const (
	formatPCM        = 1
	formatExtensible = 0xFFFE
)

// pcmGUID is the sub-format of extensible PCM.
var pcmGUID = []byte{1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71}

const wavHint = "recordings are WAV files with PCM of 8, 16 or 24 bits, mono or stereo, below 4 GB: convert, for instance with \"ffmpeg -i in.wav -c:a pcm_s16le out.wav\""

func (w *WAV) refuse(what string) error {
	return fault.New(fault.Usage, "%s", what).At(w.Name, 0, "").WithHint(wavHint)
}

// OpenWAV reads what stands before the samples.
func OpenWAV(name string, in io.ReaderAt, size int64) (*WAV, error) {
	w := &WAV{Name: name, in: in}
	head := make([]byte, 12)
	if _, err := in.ReadAt(head, 0); err != nil || string(head[8:]) != "WAVE" {
		return nil, w.refuse("not a WAV file")
	}
	switch string(head[:4]) {
	case "RIFF":
	case "RF64", "BW64", "RIFX":
		return nil, w.refuse("a WAV file of the RF64 or RIFX kind")
	default:
		return nil, w.refuse("not a WAV file")
	}
	for at := int64(12); ; {
		chunk := make([]byte, 8)
		if _, err := in.ReadAt(chunk, at); err != nil {
			return nil, w.refuse("the WAV file has no samples")
		}
		length := int64(binary.LittleEndian.Uint32(chunk[4:]))
		at += 8
		switch string(chunk[:4]) {
		case "fmt ":
			if length < 16 || length > 64 || w.format != nil {
				return nil, w.refuse("the WAV file's format cannot be read")
			}
			w.format = make([]byte, length)
			if _, err := in.ReadAt(w.format, at); err != nil {
				return nil, w.refuse("the WAV file ends early")
			}
			if err := w.readFormat(); err != nil {
				return nil, err
			}
		case "data":
			if w.format == nil {
				return nil, w.refuse("the WAV file's samples come before their format")
			}
			if at+length > size || length%int64(w.frame()) != 0 {
				return nil, w.refuse("the WAV file ends early, or was never finished")
			}
			w.data, w.Frames = at, length/int64(w.frame())
			return w, nil
		}
		at += length + length&1
	}
}

func (w *WAV) readFormat() error {
	f := w.format
	code := binary.LittleEndian.Uint16(f)
	w.Channels = int(binary.LittleEndian.Uint16(f[2:]))
	w.Rate = int(binary.LittleEndian.Uint32(f[4:]))
	w.Bits = int(binary.LittleEndian.Uint16(f[14:]))
	if code == formatExtensible {
		if len(f) < 40 || !bytes.Equal(f[24:40], pcmGUID) || int(binary.LittleEndian.Uint16(f[18:])) != w.Bits {
			return w.refuse("the WAV file's samples are not plain PCM")
		}
		code = formatPCM
	}
	switch {
	case code != formatPCM:
		return w.refuse("the WAV file's samples are not plain PCM")
	case w.Bits != 8 && w.Bits != 16 && w.Bits != 24:
		return w.refuse("the WAV file's samples are not of 8, 16 or 24 bits")
	case w.Channels != 1 && w.Channels != 2:
		return w.refuse("the WAV file is neither mono nor stereo")
	case w.Rate < 8000 || w.Rate > 384000:
		return w.refuse("the WAV file's sampling rate is not one of speech")
	case int(binary.LittleEndian.Uint16(f[12:])) != w.frame():
		return w.refuse("the WAV file's format contradicts itself")
	}
	return nil
}

// Range is a cut in frames of a recording.
type Range struct{ From, To int64 }

// Range gives a cut in frames, rounded outwards.
func (w *WAV) Range(c Cut) Range {
	from := int64(math.Floor(c.Start * float64(w.Rate)))
	to := int64(math.Ceil(c.End * float64(w.Rate)))
	return Range{min(max(from, 0), w.Frames), min(max(to, 0), w.Frames)}
}

// WriteMasked writes the recording with its cuts hummed: the format and the
// samples. Other chunks hold who recorded whom, when and where, and stay out.
// The cuts are in order and apart.
func (w *WAV) WriteMasked(ctx context.Context, out io.Writer, cuts []Range) error {
	buffered := bufio.NewWriterSize(out, 1<<20)
	size := w.Frames * int64(w.frame())
	head := append([]byte("RIFF"), 0, 0, 0, 0)
	head = append(head, "WAVEfmt "...)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(w.format)))
	head = append(head, w.format...)
	if len(w.format)%2 == 1 {
		head = append(head, 0)
	}
	head = append(head, "data"...)
	head = binary.LittleEndian.AppendUint32(head, uint32(size))
	binary.LittleEndian.PutUint32(head[4:], uint32(int64(len(head))-8+size+size&1))
	if _, err := buffered.Write(head); err != nil {
		return err
	}
	at := int64(0)
	for _, c := range cuts {
		if err := w.copy(ctx, buffered, at, c.From); err != nil {
			return err
		}
		if err := w.hum(ctx, buffered, c); err != nil {
			return err
		}
		at = c.To
	}
	if err := w.copy(ctx, buffered, at, w.Frames); err != nil {
		return err
	}
	if size%2 == 1 {
		buffered.WriteByte(0)
	}
	return buffered.Flush()
}

// copy writes frames as they are.
func (w *WAV) copy(ctx context.Context, out io.Writer, from, to int64) error {
	frame := int64(w.frame())
	in := io.NewSectionReader(w.in, w.data+from*frame, (to-from)*frame)
	for buffer := make([]byte, 1<<20); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := in.Read(buffer)
		if n > 0 {
			if _, err := out.Write(buffer[:n]); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fault.New(fault.Failure, "the recording cannot be read").At(w.Name, 0, "")
		}
	}
}

// samples reads frames as numbers from -1 to 1, by channel.
func (w *WAV) samples(from, to int64) ([][]float64, error) {
	frame := int64(w.frame())
	raw := make([]byte, (to-from)*frame)
	if _, err := w.in.ReadAt(raw, w.data+from*frame); err != nil {
		return nil, fault.New(fault.Failure, "the recording cannot be read").At(w.Name, 0, "")
	}
	channels := make([][]float64, w.Channels)
	for c := range channels {
		channels[c] = make([]float64, to-from)
	}
	width := w.Bits / 8
	for i := range raw[:len(raw)/width] {
		channels[i%w.Channels][i/w.Channels] = sample(raw[i*width : (i+1)*width])
	}
	return channels, nil
}

// sample reads one sample.
func sample(b []byte) float64 {
	switch len(b) {
	case 1:
		return (float64(b[0]) - 128) / 128
	case 2:
		return float64(int16(binary.LittleEndian.Uint16(b))) / (1 << 15)
	}
	return float64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)) / (1 << 31)
}

// appendSample writes one sample.
func appendSample(dst []byte, v float64, bits int) []byte {
	v = max(-1, min(1, v))
	top := float64(int64(1)<<(bits-1)) - 1
	n := int32(math.Round(v * top))
	switch bits {
	case 8:
		return append(dst, byte(n+128))
	case 16:
		return binary.LittleEndian.AppendUint16(dst, uint16(n))
	}
	return append(dst, byte(n), byte(n>>8), byte(n>>16))
}

// The longest stretch that is hummed at once, and how much of what surrounds it
// is heard for its pitch and loudness, in seconds.
const (
	humBlock   = 10
	humContext = 0.5
)

// hum writes a cut.
func (w *WAV) hum(ctx context.Context, out io.Writer, cut Range) error {
	hummers := make([]*Hummer, w.Channels)
	for c := range hummers {
		hummers[c] = NewHummer(w.Rate)
	}
	around := int64(humContext * float64(w.Rate))
	for at := cut.From; at < cut.To; {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := min(at+humBlock*int64(w.Rate), cut.To)
		first := max(at-around, 0)
		heard, err := w.samples(first, min(end+around, w.Frames))
		if err != nil {
			return err
		}
		hummed := make([][]float64, w.Channels)
		for c := range heard {
			hummed[c] = hummers[c].Hum(heard[c], int(at-first), int(end-first))
			fade(hummed[c], at-cut.From, cut.To-end, w.Rate)
		}
		raw := make([]byte, 0, (end-at)*int64(w.frame()))
		for i := range hummed[0] {
			for c := range hummed {
				raw = appendSample(raw, hummed[c][i], w.Bits)
			}
		}
		if _, err := out.Write(raw); err != nil {
			return err
		}
		at = end
	}
	return nil
}

// fade lets a hum begin and end without a click. before and after are how much of
// the cut lies outside this stretch.
func fade(samples []float64, before, after int64, rate int) {
	length := int64(rate / 200)
	for i := range samples {
		near := min(before+int64(i), after+int64(len(samples)-1-i))
		if near < length {
			samples[i] *= 0.5 - 0.5*math.Cos(math.Pi*float64(near)/float64(length))
		}
	}
}
