package watchlab

import (
	"time"
	_ "unsafe" // for go:linkname
)

// neverExitWatch is what the reflector of client-go before 0.35 waits for when it has no resync
// period: a channel of the package, which lets no bubble's time pass. Where client-go has none of
// that name, this one is of no use and does no harm.
//
//go:linkname neverExitWatch k8s.io/client-go/tools/cache.neverExitWatch
var neverExitWatch <-chan time.Time

// bringChannels makes anew, in the bubble, what a package has made outside of it.
func bringChannels() { neverExitWatch = make(chan time.Time) }
