// Package registry knows which library an exercise is played with. Tests of students cannot import it.
package registry

import (
	"fmt"
	"os"
	"slices"
)

var chosen any

// Chosen is what makes one.
func Chosen() any { return chosen }

// Choose takes the library that the variable LIBRARY names, or the first one.
func Choose(libraries map[string]any) {
	var names []string
	for name := range libraries {
		names = append(names, name)
	}
	slices.Sort(names)
	name := os.Getenv("LIBRARY")
	if name == "" && len(names) > 0 {
		name = names[0]
	}
	if chosen = libraries[name]; chosen == nil {
		fmt.Fprintf(os.Stderr, "there is no library %s; LIBRARY can be %v\n", name, names)
		os.Exit(2)
	}
}
