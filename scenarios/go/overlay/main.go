// Overlay writes an overlay of Go's runtime in which all that a bubble of testing/synctest leaves to
// chance follows from a seed: the order of maps, select among ready cases, timers that are due at
// one instant, math/rand/v2, hash/maphash; and in which no goroutine of a bubble is interrupted.
// watchlab.Explore chooses with it which goroutine goes next.
//
//	go run example.org/watchlab/overlay -o build/overlay
//	go test -overlay build/overlay/overlay.json …
//	go test -overlay $(go run example.org/watchlab/overlay) …
//
// Without -o it is kept in the user's cache, and the name of its file is printed. In a story, the seed is that
// of the story, which the world hands over in WATCHLAB_SEED. The overlay is made from the sources of the
// installed Go, whose minor version it must know.
package main

import (
	"flag"
	"fmt"
	"os"

	"example.org/watchlab/instrument"
)

func main() {
	out := flag.String("o", "", "the folder to write to; by default one in the user's cache")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: overlay [-o FOLDER]")
		os.Exit(2)
	}
	if err := write(*out); err != nil {
		fmt.Fprintf(os.Stderr, "overlay: %v\n", err)
		os.Exit(2)
	}
}

func write(folder string) error {
	toolchain, err := instrument.Installed()
	if err != nil {
		return err
	}
	if folder != "" {
		_, err = toolchain.Write(folder)
		return err
	}
	overlay, err := toolchain.Keep()
	if err == nil {
		fmt.Println(overlay)
	}
	return err
}
