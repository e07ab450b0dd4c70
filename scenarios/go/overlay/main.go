// Overlay writes an overlay of Go's runtime in which all that a bubble of testing/synctest leaves to
// chance follows from a seed: the order of maps, select among ready cases, timers that are due at
// one instant, math/rand/v2, hash/maphash; and in which no goroutine of a bubble is interrupted.
// watchlab.Explore chooses with it which goroutine goes next.
//
//	go run example.org/watchlab/overlay go test …
//	go run example.org/watchlab/overlay -o build/overlay
//	go test -overlay build/overlay/overlay.json …
//
// The first runs that command with the overlay and the flags of the compiler by which the functions of sync/atomic
// are seen too, also with a Go that GOTOOLCHAIN has downloaded. Without a command and -o the overlay is kept in the
// user's cache, and the name of its file is printed. In a story, the seed is that
// of the story, which the world hands over in WATCHLAB_SEED. The overlay is made from the sources of the
// installed Go, whose minor version it must know.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"

	"example.org/watchlab/instrument"
)

func main() {
	out := flag.String("o", "", "the folder to write to; by default one in the user's cache")
	flag.Parse()
	words := flag.Args()
	if len(words) == 1 || len(words) > 1 && (words[0] != "go" || *out != "") {
		fmt.Fprintln(os.Stderr, "usage: overlay [-o FOLDER], or overlay go test …")
		os.Exit(2)
	}
	err := produce(*out, words)
	if ended, has := err.(*exec.ExitError); has { // go has said why
		os.Exit(ended.ExitCode())
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "overlay: %v\n", err)
		os.Exit(2)
	}
}

func produce(folder string, words []string) error {
	toolchain, err := instrument.Installed()
	if err != nil {
		return err
	}
	if folder != "" {
		_, err = toolchain.Write(folder)
		return err
	}
	overlay, err := toolchain.Keep()
	if err != nil {
		return err
	}
	if len(words) == 0 {
		fmt.Println(overlay)
		return nil
	}
	flags := append([]string{words[1], "-overlay", overlay}, instrument.CompilerFlags...)
	command := exec.Command(toolchain.Go(), append(flags, words[2:]...)...)
	command.Env = append(os.Environ(), toolchain.Environment()...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	return command.Run()
}
