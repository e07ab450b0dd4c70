package watchlab

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

const (
	protocol = 1
	greeting = "watchlab-lockstep "
	frameMax = 64 << 20
)

// hello is what the world says first.
type hello struct {
	Client   string `json:"client"`
	Scenario string `json:"scenario"`
	Seed     uint64 `json:"seed"`
	Life     int64  `json:"life"`
	Epoch    int64  `json:"epoch"`  // Unix nanoseconds: the moment at which the program starts
	Chosen   bool   `json:"chosen"` // which goroutine goes next is the world's choice
}

// event is one thing that crosses the border, in either direction.
type event struct {
	Conn int64  `json:"conn"`
	Kind string `json:"kind"` // dial, data, close, note; open, data, eof, reset
	Data []byte `json:"data,omitempty"`
	Text string `json:"text,omitempty"` // of a note
}

// order is what the world says; one report answers it. Times are Unix nanoseconds.
type order struct {
	Events []event `json:"events,omitempty"` // they happen now, and then no time may pass
	Until  int64   `json:"until"`            // come back then at the latest
	Stop   bool    `json:"stop,omitempty"`   // end, as after a SIGTERM
	Alone  bool    `json:"alone,omitempty"`  // the world is no more
	Turns  []byte  `json:"turns,omitempty"`  // of the goroutines, drawn ahead
}

type report struct {
	Now    int64   `json:"now"`
	Events []event `json:"events,omitempty"`
	Done   bool    `json:"done,omitempty"`
	Failed string  `json:"failed,omitempty"`
	Taken  int     `json:"taken,omitempty"` // of the turns that were drawn
	Swaps  []swap  `json:"swaps,omitempty"` // what they have changed
}

// swap is a goroutine that went before the one whose turn it was.
type swap struct {
	Place string `json:"place"` // as in a schedule: 1.1@3:1.2
	Text  string `json:"text"`
}

// link is the connection to the world. To read it is a system call, which is no durable block: while
// the world has its turn, the time of the bubble stands still.
type link struct {
	file *os.File
	in   *bufio.Reader
}

func openLink(descriptor int) *link {
	syscall.CloseOnExec(descriptor)
	file := os.NewFile(uintptr(descriptor), "watchlab")
	return &link{file: file, in: bufio.NewReaderSize(file, 1<<16)}
}

func (l *link) greet() (hello, error) {
	var h hello
	line, err := l.in.ReadString('\n')
	if err != nil {
		return h, err
	}
	version, about, _ := strings.Cut(strings.TrimPrefix(line, greeting), " ")
	if !strings.HasPrefix(line, greeting) {
		return h, fmt.Errorf("what comes from %s is no hello of watchlab", descriptorVariable)
	}
	if _, err := fmt.Fprintf(l.file, "%s%d {}\n", greeting, protocol); err != nil {
		return h, err
	}
	if version != fmt.Sprint(protocol) {
		return h, fmt.Errorf("watchlab speaks version %s of the protocol, and this module version %d: "+
			"take both of the same release", version, protocol)
	}
	return h, json.Unmarshal([]byte(about), &h)
}

func (l *link) receive() (order, error) {
	var o order
	var prefix [4]byte
	if _, err := io.ReadFull(l.in, prefix[:]); err != nil {
		return o, err
	}
	size := binary.BigEndian.Uint32(prefix[:])
	if size > frameMax {
		return o, fmt.Errorf("a frame of %d bytes", size)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(l.in, text); err != nil {
		return o, err
	}
	return o, json.Unmarshal(text, &o)
}

func (l *link) send(r report) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	frame := binary.BigEndian.AppendUint32(make([]byte, 0, len(text)+4), uint32(len(text)))
	_, err = l.file.Write(append(frame, text...))
	return err
}
