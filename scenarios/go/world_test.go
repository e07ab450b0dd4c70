package watchlab

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// world is a story without a server: it answers the dials of a program, and lets time go on.
type world struct {
	t       *testing.T
	file    *os.File
	in      *bufio.Reader
	command *exec.Cmd
	printed bytes.Buffer
	now     int64
	notes   []string
}

const epoch = int64(1_704_067_200_000_000_000)

// start runs a test of this program as the program of a story; the hello can say more.
func start(t *testing.T, test string, more ...string) *world {
	t.Helper()
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	theirs := os.NewFile(uintptr(pair[1]), "theirs")
	w := &world{t: t, file: os.NewFile(uintptr(pair[0]), "ours"), now: epoch}
	w.in = bufio.NewReader(w.file)
	w.command = exec.Command(os.Args[0], "-test.run=^"+test+"$")
	w.command.Env = append(os.Environ(), descriptorVariable+"=3", "GOMAXPROCS=1", "GODEBUG=randautoseed=0,randseednop=0",
		"GOGC=off")
	w.command.ExtraFiles = []*os.File{theirs}
	w.command.Stdout, w.command.Stderr = &w.printed, &w.printed
	if err := w.command.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	t.Cleanup(func() {
		w.command.Process.Kill()
		w.command.Wait()
		w.file.Close()
	})
	fmt.Fprintf(w.file, "%s%d {\"client\":\"program\",\"seed\":7,\"life\":1,\"epoch\":%d%s}\n", greeting, protocol, epoch, strings.Join(more, ""))
	line, err := w.in.ReadString('\n')
	if err != nil || line != fmt.Sprintf("%s%d {}\n", greeting, protocol) {
		t.Fatalf("the hello is %q, %v\n%s", line, err, w.printed.String())
	}
	return w
}

// say gives an order, and returns the report.
func (w *world) say(o order) report {
	w.t.Helper()
	text, _ := json.Marshal(o)
	w.file.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...))
	var prefix [4]byte
	if _, err := io.ReadFull(w.in, prefix[:]); err != nil {
		w.command.Wait()
		w.t.Fatalf("no report: %v\n%s", err, w.printed.String())
	}
	answer := make([]byte, binary.BigEndian.Uint32(prefix[:]))
	io.ReadFull(w.in, answer)
	var r report
	if err := json.Unmarshal(answer, &r); err != nil {
		w.t.Fatal(err)
	}
	w.now = r.Now
	for _, e := range r.Events {
		if e.Kind == "note" {
			w.notes = append(w.notes, fmt.Sprintf("%v %s", time.Duration(r.Now-epoch), e.Text))
		}
	}
	return r
}

// until lets time go on for that long; connections open at once, and no one answers on them.
func (w *world) until(span time.Duration) report {
	w.t.Helper()
	end := w.now + int64(span)
	r := w.say(order{Until: w.now})
	for !r.Done && r.Failed == "" && (w.now < end || len(r.Events) > 0) {
		next := order{Until: end}
		for _, e := range r.Events {
			if e.Kind == "dial" {
				next.Events = append(next.Events, event{Conn: e.Conn, Kind: "open"})
				next.Until = w.now
			}
		}
		r = w.say(next)
	}
	return r
}

// ended waits for the end of the program.
func (w *world) ended() error {
	timer := time.AfterFunc(time.Minute, func() { w.command.Process.Kill() })
	defer timer.Stop()
	return w.command.Wait()
}

func (w *world) wants(found, wanted string) {
	w.t.Helper()
	if !strings.Contains(found, wanted) {
		w.t.Errorf("%q should be in:\n%s\nprinted:\n%s", wanted, found, w.printed.String())
	}
}
