package watchlab

import (
	"encoding/json"
	"fmt"
	"testing"
)

// A Verdict is what the program explore says of a test.
type Verdict struct {
	Test, Kind, Text string
	Trials           []Trial // if trials were asked for
}

// A Trial is a search alone: in which run it came to which finding. Run is 0 if there was none.
type Trial struct {
	Run       int
	Kind, Why string
}

// The kinds of verdicts.
const (
	Passed = "passed"
	Found  = "FOUND"
	Unfit  = "unfit" // for a bubble
)

// Asked is what the program explore hands to the tests of a package.
type Asked struct {
	Options Options
	Replay  string // the command that replays a finding
	Trials  int    // if it is not 0, as many searches, each with other seeds
	Own     bool   // by Go's own scheduler, in a program with the overlay that is for it
}

const (
	AskedVariable = "WATCHLAB_EACH" // its value is an Asked
	VerdictLine   = "watchlab-verdict "
)

// Each explores tests, and prints a verdict on each: what the program explore adds to a package calls it.
func Each(t *testing.T, tests ...testing.InternalTest) {
	if askedAtStart == "" {
		t.Skip("watchlab: the program explore runs this")
	}
	var asked Asked
	if err := json.Unmarshal([]byte(askedAtStart), &asked); err != nil {
		t.Fatal(err)
	}
	if err := asked.Options.complete(); err != nil {
		t.Fatal(err)
	}
	asked.Options.replay = asked.Replay
	for _, test := range tests {
		t.Run(test.Name, func(t *testing.T) {
			if workAtStart != "" {
				work(t, test.F, workAtStart)
				return
			}
			v := Verdict{Test: test.Name, Kind: Passed}
			if asked.Trials > 0 {
				v.try(t.Name(), asked)
				v.print()
				return
			}
			found, err := search(t.Name(), asked.Options)
			switch {
			case err != nil:
				v.Kind, v.Text = Unfit, err.Error()
			default:
				v.Text = found.text()
				if found.Kind != "" {
					v.Kind = Found
				}
			}
			v.print()
		})
	}
}

func (v Verdict) print() {
	if text, err := json.Marshal(v); err == nil {
		fmt.Printf("\n%s%s\n", VerdictLine, text)
	}
}

// try makes the trials, until one shows that the test does not fit.
func (v *Verdict) try(test string, asked Asked) {
	for i := range asked.Trials {
		work := task{Test: test, Options: asked.Options, Own: asked.Own}
		work.Options.Seed += uint64(i) * 1_000_003
		p, err := process(work)
		if err != nil {
			v.Kind, v.Text = Unfit, err.Error()
			return
		}
		each := Trial{Kind: p.Kind, Why: p.Why}
		if p.Kind != "" {
			v.Kind = Found
			each.Run = p.Run
			if !asked.Own { // which has no default order before the first run
				each.Run++
			}
		}
		v.Trials = append(v.Trials, each)
	}
}
