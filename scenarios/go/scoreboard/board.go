package main

import (
	"fmt"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"

	watchlab "example.org/watchlab/goroutines"
)

// board holds what has been measured so far.
type board struct {
	mark        string // of its section in docs/scoreboard.md
	fit, within int
	missed      []string
	unfit       []string
	rows        []row
}

// published names the column that the rows are compared with.
var published = map[string]string{"goker": "published", "client-go": "our port: random, pct, pos"}

// row is a line of docs/scoreboard.md.
type row struct {
	cells string
	found bool // in half of the trials
}

func (b *board) head(s settings) {
	fmt.Printf("Runs to the first failure: median of %d trials, [its 95 %% interval], of at most %d runs or %v (%s); Go's own scheduler: of trials "+
		"of at most %d runs or %v.\n\n", s.trials, s.runs, timeOfTrial, s.strategy, 10*s.runs, s.own)
	fmt.Printf("%-32s %9s  %-24s %-24s %s\n", "kernel", published[b.mark], "Go", "explored", "finding")
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
	inHalf := 2*found >= len(k.explored.Trials)
	if inHalf {
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
	explored := runs(k.explored.Trials)
	fmt.Printf("%-32s %9s  %-24s %-24s %s\n", k.name, k.published, own, explored, strings.Join(names, ", "))
	b.rows = append(b.rows, row{fmt.Sprintf("| %s | %s | %s | %s | %s |", k.name, k.published, own, explored, strings.Join(names, ", ")), inHalf})
}

// runs returns the median of the trials with a 95 % confidence interval that assumes no distribution: its ranks come
// from the binomial one. A trial without a finding counts as longer than all others.
func runs(trials []watchlab.Trial) string {
	sorted := make([]float64, 0, len(trials))
	found := 0
	for _, each := range trials {
		runs := math.Inf(1)
		if each.Run > 0 {
			runs = float64(each.Run)
			found++
		}
		sorted = append(sorted, runs)
	}
	if found == 0 {
		return "missed"
	}
	sort.Float64s(sorted)
	n := len(sorted)
	rank, weight := 0, math.Exp2(-float64(n)) // of the binomial distribution
	for below := weight; below <= 0.025; below += weight {
		rank++
		weight *= float64(n-rank+1) / float64(rank)
	}
	rank = max(rank, 1)
	text := fmt.Sprintf("%s [%s, %s]", number((sorted[(n-1)/2]+sorted[n/2])/2), number(sorted[rank-1]), number(sorted[n-rank]))
	if found < n {
		text += fmt.Sprintf(" %d/%d", found, n)
	}
	return text
}

func number(value float64) string {
	if math.IsInf(value, 1) {
		return "–"
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

// write puts the rows between the marks of the page, misses first.
func (b *board) write(page string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	sort.SliceStable(b.rows, func(i, j int) bool { return !b.rows[i].found && b.rows[j].found })
	lines := []string{"| program | " + published[b.mark] + " | Go's own | explored | finding |", "|---|---|---|---|---|"}
	for _, each := range b.rows {
		lines = append(lines, each.cells)
	}
	mark := "<!-- " + b.mark + " board -->\n"
	start, rest, found := strings.Cut(string(text), mark)
	_, end, closed := strings.Cut(rest, "<!-- end -->")
	if !found || !closed {
		return fmt.Errorf("%s has no place for %s board", page, b.mark)
	}
	said := fmt.Sprintf("%d of the %d programs that fit into a bubble fail in at least half of their trials; %d don't fit.", b.within, b.fit, len(b.unfit))
	return os.WriteFile(page, []byte(start+mark+"\n"+said+"\n\n"+strings.Join(lines, "\n")+"\n\n<!-- end -->"+end), 0o644)
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
