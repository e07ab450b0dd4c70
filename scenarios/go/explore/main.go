// Explore plays all tests of Go packages under many orders of their goroutines, without a change to them, and says of
// each what it is: passed, found, or not fit for a bubble of testing/synctest, and why. docs/go-races.md is the guide.
//
//	go run example.org/watchlab/explore ./...
//	go run example.org/watchlab/explore -run '^TestCache' -runs 10000 ./cache
//
// The module of the packages has to require watchlab. Exit: 0 nothing was found, 1 something was, 2 bad usage.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	watchlab "example.org/watchlab/goroutines"
)

const usage = "usage: explore [-run REGEXP] [-runs N] [-time DURATION] [-strategy NAME] [-seed N] [-race] PACKAGE…"

func main() {
	var options watchlab.Options
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, usage)
		flag.PrintDefaults()
	}
	run := flag.String("run", "", "only tests whose name this regular expression matches")
	flag.IntVar(&options.Runs, "runs", 2000, "how many orders of each test are played")
	flag.DurationVar(&options.Time, "time", 5*time.Second, "how long each test is played")
	flag.StringVar(&options.Strategy, "strategy", "portfolio", "portfolio, random, pct, pos, sticky or dfs")
	flag.Uint64Var(&options.Seed, "seed", 1, "of the first order")
	flag.BoolVar(&options.Race, "race", false, "with the race detector, and each access to memory as a point")
	flag.Parse()
	wanted, err := regexp.Compile(*run)
	if err != nil || flag.NArg() == 0 {
		if err == nil {
			err = fmt.Errorf("which packages? %s", usage)
		}
		fail(err)
	}
	explorer, err := newExplorer(options, wanted)
	if err != nil {
		fail(err)
	}
	defer explorer.close()
	packages, err := list(flag.Args())
	if err != nil {
		fail(err)
	}
	for _, each := range packages {
		explorer.explore(each)
	}
	fmt.Println(explorer.summary())
	if explorer.count[watchlab.Found] > 0 {
		explorer.close()
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintf(os.Stderr, "explore: %v\n", err)
	os.Exit(2)
}
