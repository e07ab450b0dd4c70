package watchlab

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// playOwn plays runs of the test by Go's own scheduler, until one fails: to compare with.
func (p *player) playOwn() {
	for p.Kind == "" && p.Runs < p.task.Options.Runs && p.inTime() {
		p.Runs++
		p.pulse.Write([]byte{'.'}) // counted, since a panic leaves nothing else
		p.playing = true
		p.ownBubble()
		p.playing = false
		if p.Kind == "" && p.t.Failed() {
			p.Kind, p.Why = kindFailed, "the test says so"
		}
	}
	p.Run = p.Runs
}

func (p *player) ownBubble() {
	defer func() {
		if why := recover(); why != nil {
			p.Kind, p.Why = kindBlocked, fmt.Sprint(why)
		}
	}()
	synctest.Test(p.t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(p.task.Options.Grace) })
		p.test(t)
	})
}
