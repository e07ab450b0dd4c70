package main

import (
	"fmt"
	"sort"
	"strings"

	watchlab "example.org/watchlab/goroutines"
)

// board is what was measured so far.
type board struct {
	fit, within int
	missed      []string
	unfit       []string
}

func (b *board) head(s settings) {
	fmt.Printf("Runs to the first failure: median, [quartiles], found of %d trials of at most %d runs or 10 s (%s); Go's own scheduler: of 3 trials "+
		"of at most %d runs or %v.\n\n", s.trials, s.runs, s.strategy, 10*s.runs, s.own)
	fmt.Printf("%-32s %9s  %-24s %-24s %s\n", "kernel", "published", "Go", "explored", "finding")
}

func (b *board) add(k *kernel) {
	if k.explored.Kind == watchlab.Unfit {
		b.unfit = append(b.unfit, k.name+": "+firstLine(k.explored.Text))
		fmt.Printf("%-32s %9s  does not fit: %s\n", k.name, k.published, firstLine(k.explored.Text))
		return
	}
	b.fit++
	found := 0
	kinds := map[string]int{}
	for _, each := range k.explored.Trials {
		if each.Run > 0 {
			found++
			if each.Kind == "panic" || each.Kind == "fatal error" {
				each.Kind += ": " + each.Why
			}
			kinds[each.Kind]++
		}
	}
	// In at least half of the trials: so the median is within the bound.
	if 2*found >= len(k.explored.Trials) {
		b.within++
	} else {
		b.missed = append(b.missed, fmt.Sprintf("%s (%d of %d)", k.name, found, len(k.explored.Trials)))
	}
	own := "-"
	if k.own.Kind == watchlab.Unfit {
		own = "hangs"
	} else if len(k.own.Trials) > 0 {
		own = runs(k.own.Trials)
	}
	var names []string
	for kind := range kinds {
		names = append(names, kind)
	}
	sort.Strings(names)
	fmt.Printf("%-32s %9s  %-24s %-24s %s\n", k.name, k.published, own, runs(k.explored.Trials), strings.Join(names, ", "))
}

// runs is the median of the trials, with its quartiles; one without a finding is longer than all.
func runs(trials []watchlab.Trial) string {
	var sorted []int
	for _, each := range trials {
		if each.Run > 0 {
			sorted = append(sorted, each.Run)
		}
	}
	sort.Ints(sorted)
	at := func(part, of int) string {
		i := (len(trials) - 1) * part / of
		if i >= len(sorted) {
			return "-"
		}
		return fmt.Sprint(sorted[i])
	}
	return fmt.Sprintf("%s [%s, %s] %d/%d", at(1, 2), at(1, 4), at(3, 4), len(sorted), len(trials))
}

// summary says whether the aim was reached.
func (b *board) summary(s settings) bool {
	fmt.Printf("\n%d of the %d kernels that fit were found within %d runs", b.within, b.fit, s.runs)
	if b.fit > 0 {
		fmt.Printf(" (%d %%)", 100*b.within/b.fit)
	}
	fmt.Printf("; %d do not fit.\n", len(b.unfit))
	for _, each := range b.missed {
		fmt.Println("missed       " + each)
	}
	for _, each := range b.unfit {
		fmt.Println("does not fit " + each)
	}
	return 100*b.within >= s.aim*b.fit
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
