package main

import "fmt"

// figures are what was measured of one file.
type figures struct {
	name             string
	bytes, rows      int
	one, two         cost
	ladder           []rung
	peers            []*peer
	unpack           cost // a packed log, unpacked alone
	packed, repacked cost // unpacked and treated by two workers, not packed and packed again
}

func (f *figures) perProcessor(c cost) float64 { return float64(f.bytes) / 1e6 / c.processor }
func (f *figures) perClock(c cost) float64     { return float64(f.bytes) / 1e6 / c.clock }

// report prints figures, and keeps them for the tables.
type report struct {
	markdown bool
	all      []*figures
}

func (r *report) short(f *figures) {
	fmt.Printf("%-60s %5.0f MB %7.0f MB/s %7.0f ns a row\n", f.name, float64(f.bytes)/1e6, f.perProcessor(f.one), f.one.processor*1e9/float64(f.rows))
}

func (r *report) print(f *figures) {
	r.all = append(r.all, f)
	fmt.Printf("%s, %.0f MB, %d bytes a row\n", f.name, float64(f.bytes)/1e6, f.bytes/max(f.rows, 1))
	before := 0.0
	for _, step := range f.ladder {
		fmt.Printf("  %-38s %7.0f MB/s %8.0f ns a row, %+.0f\n", step.name, f.perProcessor(step.cost),
			step.cost.processor*1e9/float64(f.rows), (step.cost.processor-before)*1e9/float64(f.rows))
		before = step.cost.processor
	}
	fmt.Printf("  %-38s %7.0f MB/s by the clock, two workers %.0f: %.2f times\n", "all rules, one worker", f.perClock(f.one), f.perClock(f.two), f.one.clock/f.two.clock)
	for _, p := range f.peers {
		by := p.cost.processor
		if p.name[:2] == "jq" { // another process
			by = p.cost.clock
		}
		fmt.Printf("  %-38s %7.0f MB/s, all rules do %.2f times that\n", p.name, float64(f.bytes)/1e6/by, by/f.one.processor)
	}
	if f.unpack.clock > 0 {
		fmt.Printf("  %-38s %7.0f MB/s by the clock, %.2f of unpacking alone (%.0f)\n", "packed, two workers", f.perClock(f.packed), f.unpack.clock/f.packed.clock, f.perClock(f.unpack))
		fmt.Printf("  %-38s %7.0f MB/s by the clock\n", "the same, output packed too", f.perClock(f.repacked))
		// One core unpacks, the others treat: with one of them no more is possible than
		// what both do together.
		bound := 2 / (f.unpack.processor + f.one.processor) * f.unpack.clock
		fmt.Printf("  %-38s %7.2f of unpacking alone is what two cores can reach\n", "", bound)
	}
}

// end prints the tables of the documentation.
func (r *report) end() {
	if !r.markdown {
		return
	}
	fmt.Println("\n| file | bytes a row | all rules, a core | two workers | beside, in the same run |\n|---|---|---|---|---|")
	for _, f := range r.all {
		beside := ""
		for i, p := range f.peers {
			if i > 0 {
				beside += ", "
			}
			by := p.cost.processor
			if p.name[:2] == "jq" {
				by = p.cost.clock
			}
			beside += fmt.Sprintf("%.2g times %s", by/f.one.processor, p.name)
		}
		if f.unpack.clock > 0 {
			beside += fmt.Sprintf("; packed %.2f of unpacking alone", f.unpack.clock/f.packed.clock)
		}
		fmt.Printf("| `%s`, %.0f MB | %d | %.0f MB/s | %.2f times | %s |\n", f.name, float64(f.bytes)/1e6, f.bytes/max(f.rows, 1), f.perProcessor(f.one), f.one.clock/f.two.clock, beside)
	}
	fmt.Println("\n| file | step | MB/s | ns a row |\n|---|---|---|---|")
	for _, f := range r.all {
		for i, step := range f.ladder {
			name := ""
			if i == 0 {
				name = "`" + f.name + "`"
			}
			fmt.Printf("| %s | %s | %.0f | %.0f |\n", name, step.name, f.perProcessor(step.cost), step.cost.processor*1e9/float64(f.rows))
		}
	}
	fmt.Println()
}
