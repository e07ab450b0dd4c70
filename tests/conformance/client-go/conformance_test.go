package conformance

import (
	"bufio"
	"encoding/json"
	"flag"
	"io"
	"os"
	"testing"
	"testing/synctest"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// silence keeps what client-go logs about the faults of the stories to itself.
func silence(t *testing.T) {
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

// TestTranscripts plays each line of the file that WATCHLAB_TRANSCRIPTS names to the real client.
func TestTranscripts(t *testing.T) {
	silence(t)
	path := os.Getenv("WATCHLAB_TRANSCRIPTS")
	if path == "" {
		t.Skip("WATCHLAB_TRANSCRIPTS names no file; ./watchlab conformance does")
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<28)
	played, blocked, bent, differing := 0, 0, 0, 0
	for lines.Scan() {
		var story Story
		if err := json.Unmarshal(lines.Bytes(), &story); err != nil {
			t.Fatal(err)
		}
		for i := range story.Clients {
			client := &story.Clients[i]
			if client.BlocksInLock {
				blocked++
				continue
			}
			var found []string
			if len(client.Requests) > 0 {
				real := playStraight(t, &story, client)
				if real.bent {
					bent++
					continue
				}
				found = compare(client, real)
			}
			played++
			if len(found) > 0 {
				differing++
			}
			for _, each := range found {
				t.Errorf("%s, client %s: %s", story.Name, client.Name, each)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("SUMMARY %d clients lived through their stories, %d differ; not played: %d that block in a lock, "+
		"%d whose handlers never came at the same moment", played, differing, blocked, bent)
}

// playStraight plays a client again while events bend its story.
func playStraight(t *testing.T, story *Story, client *Client) outcome {
	const triesMax = 100
	var real outcome
	for try := 0; try == 0 || real.bent && try < triesMax; try++ {
		synctest.Test(t, func(*testing.T) { real = play(story, client) })
		real.bent = real.bent || hurried(client, real)
	}
	return real
}
