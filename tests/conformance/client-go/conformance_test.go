package conformance

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"sort"
	"strings"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// prepare keeps what client-go logs about the faults of the stories to itself, and lets one goroutine run
// at a time: who runs takes a free lock before those who wait for it, here as in the transcripts.
func prepare(t *testing.T) {
	runtime.GOMAXPROCS(1)
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "stderrthreshold": "FATAL"} {
		if err := flags.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	klog.SetOutput(io.Discard)
	utilruntime.ErrorHandlers = nil // one of them sleeps, so that errors do not come too fast
}

// tally counts what came of a file of transcripts.
type tally struct {
	stories, played     int
	clients, differing  int
	leftOut             map[string]int // stories and clients by the reason
	unreadable, strange int
}

func (s *tally) String() string {
	text := fmt.Sprintf("%d clients of %d stories lived through them, %d differ", s.clients, s.played,
		s.differing)
	if share := s.stories - s.played; share > 0 || len(s.leftOut) > 0 {
		var reasons []string
		for reason, count := range s.leftOut {
			reasons = append(reasons, fmt.Sprintf("%d: %s", count, reason))
		}
		sort.Strings(reasons)
		text += fmt.Sprintf("; %d of %d stories not played (%s)", share, s.stories,
			strings.Join(reasons, "; "))
	}
	if s.unreadable > 0 {
		text += fmt.Sprintf("; %d lines are no transcripts", s.unreadable)
	}
	return text
}

// TestTranscripts plays each line of the file that WATCHLAB_TRANSCRIPTS names to the real client.
func TestTranscripts(t *testing.T) {
	prepare(t)
	path := os.Getenv("WATCHLAB_TRANSCRIPTS")
	if path == "" {
		t.Skip("WATCHLAB_TRANSCRIPTS names no file; ./dev conformance does")
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<28)
	sum := &tally{leftOut: map[string]int{}}
	for lines.Scan() {
		var story Story
		if err := json.Unmarshal(lines.Bytes(), &story); err != nil {
			sum.unreadable++
			t.Errorf("line %d is no transcript: %v", sum.stories+sum.unreadable, err)
			continue
		}
		sum.add(t, &story)
	}
	if err := lines.Err(); err != nil {
		sum.unreadable++
		t.Errorf("%s: %v", path, err)
	}
	t.Logf("SUMMARY %v", sum)
}

func (s *tally) add(t *testing.T, story *Story) {
	s.stories++
	if story.LeftOut != "" {
		s.leftOut[story.LeftOut]++
		return
	}
	s.played++
	for i := range story.Clients {
		client := &story.Clients[i]
		if client.LeftOut != "" {
			s.leftOut["a client: "+client.LeftOut]++
			continue
		}
		var found []string
		if len(client.Requests) > 0 {
			found = difference(t, story, client)
		}
		s.clients++
		if len(found) > 0 {
			s.differing++
		}
		for _, each := range found {
			t.Errorf("%s, client %s: %s", story.Name, client.Name, each)
		}
	}
}
