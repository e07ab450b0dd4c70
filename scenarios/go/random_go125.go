//go:build !go1.26

package watchlab

import "testing"

// seedGlobalRandom does nothing: before Go 1.26 what crypto/rand draws cannot be chosen.
func seedGlobalRandom(*testing.T, uint64) {}
