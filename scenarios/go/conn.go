package watchlab

import (
	"context"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// conn is a TCP connection into the story. Its mutexes are held for moments only, because to wait
// for a mutex is no durable block.
type conn struct {
	bridge *bridge
	id     int64
	opened chan error

	mu       sync.Mutex
	changed  sync.Cond // to wait on a Cond is a durable block
	unread   []byte
	end      error // what a read gets behind all that is unread
	closed   bool
	deadline time.Time // of reads
	timer    *time.Timer
}

func connectionError(call string, err error) error {
	return &net.OpError{Op: call, Net: "tcp", Err: os.NewSyscallError(call, err)}
}

// dial opens a connection to the servers of the story, whatever the address says.
func (b *bridge) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	b.mu.Lock()
	if b.gone {
		b.mu.Unlock()
		return nil, connectionError("connect", syscall.ECONNREFUSED)
	}
	b.last++
	c := &conn{bridge: b, id: b.last, opened: make(chan error, 1)}
	c.changed.L = &c.mu
	b.conns[c.id] = c
	b.mu.Unlock()
	b.say(event{Conn: c.id, Kind: "dial"})
	select {
	case err := <-c.opened:
		if err != nil {
			return nil, err
		}
		return c, nil
	case <-ctx.Done():
		c.Close()
		return nil, ctx.Err()
	}
}

// happen does to the connection what the world says.
func (c *conn) happen(e event) {
	switch e.Kind {
	case "open":
		c.open(nil)
	case "data":
		c.feed(e.Data, nil)
	case "eof":
		c.feed(nil, io.EOF)
	case "reset":
		c.reset()
	}
}

func (c *conn) open(err error) {
	select {
	case c.opened <- err:
	default:
	}
}

func (c *conn) reset() {
	c.open(connectionError("connect", syscall.ECONNREFUSED))
	c.feed(nil, connectionError("read", syscall.ECONNRESET))
}

func (c *conn) feed(data []byte, end error) {
	c.mu.Lock()
	c.unread = append(c.unread, data...)
	if end != nil {
		c.end = end
	}
	c.mu.Unlock()
	c.changed.Broadcast()
}

func (c *conn) Read(into []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.closed:
			return 0, net.ErrClosed
		case !c.deadline.IsZero() && !time.Now().Before(c.deadline):
			return 0, os.ErrDeadlineExceeded
		case len(c.unread) > 0:
			n := copy(into, c.unread)
			c.unread = c.unread[n:]
			return n, nil
		case c.end != nil:
			return 0, c.end
		}
		c.changed.Wait()
	}
}

// Write never blocks: how much may be on its way is the world's business.
func (c *conn) Write(data []byte) (int, error) {
	c.mu.Lock()
	closed, end := c.closed, c.end
	c.mu.Unlock()
	if closed {
		return 0, net.ErrClosed
	}
	if end != nil && end != io.EOF {
		return 0, connectionError("write", syscall.EPIPE)
	}
	c.bridge.say(event{Conn: c.id, Kind: "data", Data: append([]byte(nil), data...)})
	return len(data), nil
}

func (c *conn) Close() error {
	c.mu.Lock()
	was := c.closed
	c.closed = true
	if c.timer != nil {
		c.timer.Stop()
	}
	c.mu.Unlock()
	c.changed.Broadcast()
	if !was {
		c.bridge.forget(c)
	}
	return nil
}

func (c *conn) SetReadDeadline(deadline time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadline = deadline
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if !deadline.IsZero() && !c.closed {
		c.timer = time.AfterFunc(time.Until(deadline), c.changed.Broadcast)
	}
	c.changed.Broadcast()
	return nil
}

func (c *conn) SetDeadline(deadline time.Time) error      { return c.SetReadDeadline(deadline) }
func (c *conn) SetWriteDeadline(deadline time.Time) error { return nil }

type address string

func (a address) Network() string { return "tcp" }
func (a address) String() string  { return string(a) }

func (c *conn) LocalAddr() net.Addr  { return address("program:1") }
func (c *conn) RemoteAddr() net.Addr { return address("story:80") }
