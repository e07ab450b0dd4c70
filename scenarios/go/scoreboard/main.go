// Scoreboard measures the exploration of goroutines on the kernels of GoKer, a collection of bugs of real Go programs:
// how many runs there are to the first failure, beside Go's own scheduler and the published rate. None of the kernels
// is here: they come from a copy of GoBench that the user names.
//
//	go run ./scoreboard -from ~/gobench
//	go run ./scoreboard -from ~/gobench -run 'etcd|grpc' -trials 5
//
// It runs in the folder of watchlab's Go module. Exit: 0 at least -aim percent of the kernels that fit were found
// within -runs runs, 1 fewer, 2 bad usage.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	watchlab "example.org/watchlab/goroutines"
)

type settings struct {
	from, run    string
	trials, runs int
	strategy     string
	own          time.Duration
	memory       bool
	aim          int
	page         string
	clientGo     string
}

func (s settings) ours() watchlab.Asked {
	return watchlab.Asked{Trials: s.trials, Options: watchlab.Options{Runs: s.runs, Strategy: s.strategy, Time: timeOfTrial, Race: s.memory}}
}

func (s settings) ownTrials() watchlab.Asked {
	return watchlab.Asked{Trials: s.trials, Own: true, Options: watchlab.Options{Runs: 10 * s.runs, Time: s.own}}
}

const timeOfTrial = 30 * time.Second

func main() {
	var s settings
	flag.StringVar(&s.from, "from", "", "the folder of a copy of GoBench")
	flag.StringVar(&s.run, "run", "", "only kernels whose name, as blocking/etcd/7443, this regular expression matches")
	flag.IntVar(&s.trials, "trials", 20, "how many searches there are of each kernel, each with other seeds")
	flag.IntVar(&s.runs, "runs", 1000, "how many runs a search has at most")
	flag.StringVar(&s.strategy, "strategy", "portfolio", "portfolio, random, pct, pos, sticky or dfs")
	flag.DurationVar(&s.own, "own", 300*time.Millisecond, "time limit of a trial of Go's own scheduler; 0: none")
	flag.BoolVar(&s.memory, "memory", false, "with -race, each access to memory is a point")
	flag.IntVar(&s.aim, "aim", 90, "percent")
	flag.StringVar(&s.clientGo, "client-go", "", "measure old bugs of client-go instead of kernels; the folder of watchlab's repository")
	flag.StringVar(&s.page, "page", "", "a page to write the rows to, between its marks")
	flag.Parse()
	wanted, err := regexp.Compile(s.run)
	if err == nil && (s.from == "") == (s.clientGo == "") || flag.NArg() > 0 {
		err = fmt.Errorf("where are the kernels? scoreboard -from FOLDER, of a copy of GoBench")
	}
	var found bool
	switch {
	case err != nil:
	case s.clientGo != "":
		found, err = measureOld(s, wanted)
	default:
		found, err = measure(s, wanted)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "scoreboard: %v\n", err)
		os.Exit(2)
	}
	if !found {
		os.Exit(1)
	}
}

func measure(s settings, wanted *regexp.Regexp) (bool, error) {
	all, err := kernels(s.from, wanted)
	if err != nil {
		return false, err
	}
	folder, err := os.MkdirTemp("", "watchlab-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(folder)
	b := board{mark: "goker"}
	b.head(s)
	for _, kind := range []string{"blocking", "nonblocking"} {
		some := ofKind(all, kind)
		if len(some) == 0 {
			continue
		}
		race := kind == "nonblocking" // many of these are data races
		explored, err := build(folder, some, false, race)
		if err != nil {
			return false, err
		}
		plain := ""
		if s.own > 0 {
			if plain, err = build(folder, some, true, race); err != nil {
				return false, err
			}
		}
		for _, each := range some {
			asked := s.ours()
			asked.Options.Race = s.memory && race
			each.explored = play(explored, each, asked)
			if plain != "" && each.explored.Kind != watchlab.Unfit {
				each.own = play(plain, each, s.ownTrials())
			}
			b.add(each)
		}
	}
	return b.end(s)
}

// end writes the page, if one is wanted, and says whether the aim was reached.
func (b *board) end(s settings) (bool, error) {
	if s.page != "" {
		if err := b.write(s.page); err != nil {
			return false, err
		}
	}
	return b.summary(s), nil
}
