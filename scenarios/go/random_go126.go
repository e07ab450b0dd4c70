//go:build go1.26

package watchlab

import (
	"testing"
	"testing/cryptotest"
)

// seedGlobalRandom makes crypto/rand draw the same each time: leader election takes its identity
// from there.
func seedGlobalRandom(t *testing.T, seed uint64) { cryptotest.SetGlobalRandom(t, seed) }
