package conformance

import (
	"fmt"
	"time"
)

// moment is a point of a client's life as both stories have it: so long after that request was sent.
type moment struct {
	request int // counted from 1; 0 for the story's beginning
	offset  time.Duration
}

func (m *moment) String() string {
	if m == nil {
		return "never"
	}
	return fmt.Sprintf("%v after request %d", m.offset, m.request)
}

// momentOf turns a time of the transcript into a moment. What happens at the very time at which a
// request is sent belongs to the one before.
func (c *Client) momentOf(at *int64) *moment {
	if at == nil {
		return nil
	}
	result := &moment{offset: time.Duration(*at)}
	for i := range c.Requests {
		if c.Requests[i].At < *at {
			result = &moment{request: i + 1, offset: time.Duration(*at - c.Requests[i].At)}
		}
	}
	return result
}

// at is the moment of a time since the real story's beginning.
func (o *outcome) at(since time.Duration) *moment {
	result := &moment{offset: since}
	for i, request := range o.asked {
		if sent := request.at.Sub(o.began); sent < since {
			result = &moment{request: i + 1, offset: since - sent}
		}
	}
	return result
}

// momentOf is when the client ("") or a handler had synced; nil for never.
func (o *outcome) momentOf(name string) *moment {
	since, ok := o.syncedAt[name]
	if !ok {
		return nil
	}
	return o.at(since)
}
