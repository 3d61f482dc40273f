package risk

import "math"

// Driver is how much one quasi-identifier adds to the risk.
type Driver struct {
	Column  string `json:"column"`
	Values  int    `json:"values"`  // different values that people show
	Blank   int    `json:"blank"`   // people whose cell is empty
	Alone   int    `json:"alone"`   // people that the column alone singles out
	Without int    `json:"without"` // people in classes under k when the column is left out
	Adds    int    `json:"adds"`    // people in classes under k only because of the column
}

// Effect is what a recoding of one column, everything else as it is, would gain
// and cost.
type Effect struct {
	Rule    Rule `json:"rule"`
	K       int  `json:"k"`       // of the smallest class after it
	Under   int  `json:"under"`   // people in classes under the wanted k after it
	Gain    int  `json:"gain"`    // fewer people under the wanted k than before
	Changed int  `json:"changed"` // people whose cell is less exact than before

	Loss    float64 `json:"loss"` // normalised certainty penalty, 0–1
	Entropy Change  `json:"entropy"`
	// Mean and Deviation are of numbers (of days for dates); a class counts
	// with its middle.
	Mean      *Change `json:"mean,omitempty"`
	Deviation *Change `json:"deviation,omitempty"`
}

// Change is a figure before and after.
type Change struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// Drivers tells for each quasi-identifier what it adds to the people in classes
// under k.
func Drivers(p *Population, k int) ([]Driver, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	classes := classesOf(p.People, p.Quasi)
	under := classes.under(k)
	var drivers []Driver
	for i, c := range p.Quasi {
		without := classes.regroup(func(_ int, signature []uint32) { signature[i] = absent }).under(k)
		d := Driver{Column: c.Name, Without: without, Adds: under - without}
		for code, n := range c.counts() {
			switch {
			case uint32(code) == blank:
				d.Blank = n
			case uint32(code) == absent || n == 0:
			default:
				d.Values++
				if n == 1 {
					d.Alone++
				}
			}
		}
		drivers = append(drivers, d)
	}
	return drivers, nil
}

// Effects tries the recodings that suit each quasi-identifier, one at a time.
func Effects(p *Population, k int) ([]Effect, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	classes := classesOf(p.People, p.Quasi)
	under := classes.under(k)
	var effects []Effect
	for i, c := range p.Quasi {
		r := newRecoder(c)
		rungs := r.ladder(k)
		for _, rec := range rungs[1:] {
			after := classes.regroup(func(_ int, signature []uint32) { signature[i] = rec.to[signature[i]] })
			e := Effect{Rule: rec.rule, K: after.least(), Under: after.under(k), Loss: rec.mean}
			e.Gain = under - e.Under
			r.cost(&e, rungs[0], rec)
			effects = append(effects, e)
		}
	}
	return effects, nil
}

// cost fills in what a recoding does to the column's figures.
func (r *recoder) cost(e *Effect, before, after *recoding) {
	for code, n := range r.counts {
		if after.to[code] != uint32(code) || after.loss[code] > 0 {
			e.Changed += n
		}
	}
	e.Entropy = Change{r.entropy(before), r.entropy(after)}
	if r.kind != number && r.kind != date {
		return
	}
	meanBefore, deviationBefore, okBefore := r.moments(before)
	meanAfter, deviationAfter, okAfter := r.moments(after)
	if okBefore && okAfter {
		e.Mean = &Change{meanBefore, meanAfter}
		e.Deviation = &Change{deviationBefore, deviationAfter}
	}
}

// entropy returns the entropy in bits of what people show.
func (r *recoder) entropy(rec *recoding) float64 {
	people := make([]int, len(r.wide.values))
	total := 0
	for code, n := range r.counts {
		if to := rec.to[code]; to > absent {
			people[to] += n
			total += n
		}
	}
	bits := 0.0
	for _, n := range people {
		if n > 0 {
			p := share(n, total)
			bits -= p * math.Log2(p)
		}
	}
	return max(bits, 0)
}

// moments returns the mean and the standard deviation of what people show as
// single numbers.
func (r *recoder) moments(rec *recoding) (mean, deviation float64, ok bool) {
	var total, sum, squares float64
	for code, n := range r.counts {
		if x, numeric := rec.number[rec.to[code]]; numeric && n > 0 {
			// Welford's update, weighted.
			weight := float64(n)
			total += weight
			delta := x - mean
			mean += delta * weight / total
			squares += weight * delta * (x - mean)
			sum += weight * x
		}
	}
	if total == 0 {
		return 0, 0, false
	}
	return sum / total, math.Sqrt(squares / total), true
}
