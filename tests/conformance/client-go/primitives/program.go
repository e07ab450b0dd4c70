// Package primitives judges small programs over channels, select, locks, conditions and timers: what
// the real Go shows of them, and what Go's specification allows.
package primitives

import (
	"fmt"
	"sort"
	"strings"
)

// Instruction is a step of a task. Which says of which objects.
type Instruction struct {
	Op    string `json:"op"`
	Which int    `json:"which"`
}

// Program is a line of the file that conformance-primitives writes.
type Program struct {
	Seed      int             `json:"seed"`
	Group     int             `json:"group"`
	Tasks     [][]Instruction `json:"tasks"`
	Runs      int             `json:"runs"`
	Exhausted bool            `json:"exhausted"`
	Outcomes  []string        `json:"outcomes"`
}

const (
	channels = 4
	done     = channels // the channel that is only closed
)

var capacities = [channels + 1]int{0, 1, 0, 2, 0}

func (p *Program) uses(prefixes ...string) bool {
	for _, task := range p.Tasks {
		for _, instruction := range task {
			for _, prefix := range prefixes {
				if strings.HasPrefix(instruction.Op, prefix) {
					return true
				}
			}
		}
	}
	return false
}

func (p *Program) text() string {
	var lines []string
	for i, task := range p.Tasks {
		words := []string{fmt.Sprintf("t%d:", i)}
		for _, instruction := range task {
			words = append(words, fmt.Sprintf("%s(%d)", instruction.Op, instruction.Which))
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, "; ")
}

// outcomeText is what a run lets see: what each task saw, and whether some are stuck.
func outcomeText(saw [][]int, stuck bool) string {
	text := ""
	for i, values := range saw {
		if len(values) == 0 {
			continue
		}
		text += fmt.Sprintf("t%d: ", i)
		for _, value := range values {
			text += fmt.Sprintf("%d ", value)
		}
		text += "| "
	}
	if stuck {
		text += "stuck"
	}
	return text
}

// arm is a case of a select; a plain send or receive is a select with one.
type arm struct {
	channel int
	send    bool
}

// armsOf returns the cases of a channel instruction in their order, and whether it has a default.
func armsOf(instruction Instruction) (arms []arm, polls bool) {
	which := instruction.Which
	mixed := []arm{{channel: which % channels}, {channel: (which + 1 + which/4) % channels, send: true}}
	switch instruction.Op {
	case "send":
		return []arm{{channel: which % channels, send: true}}, false
	case "receive":
		return []arm{{channel: which % channels}}, false
	case "try_send":
		return []arm{{channel: which % channels, send: true}}, true
	case "try_receive":
		return []arm{{channel: which % channels}}, true
	case "receive_done":
		return []arm{{channel: done}}, false
	case "select_receive":
		return []arm{{channel: which % channels}, {channel: (which + 1) % channels}, {channel: done}}, false
	case "select_mixed":
		return mixed, false
	case "poll_mixed":
		return mixed, true
	case "timer_or_receive":
		return []arm{{channel: timer}, {channel: which % channels}}, false
	}
	return nil, false
}

// timer stands for the channel of a task's own timer.
const timer = -1

// sees returns what an instruction shows once an arm has been taken with a value (-1 for none), or
// the default for arm -1.
func sees(op string, arm, value int) []int {
	switch op {
	case "receive", "receive_done":
		return []int{value}
	case "try_send":
		return []int{1 + arm} // 0 for the default
	case "try_receive":
		return []int{1 + arm, value}
	case "poll_mixed":
		if arm < 0 {
			arm = 9
		}
		return []int{arm, value}
	case "select_receive", "select_mixed", "timer_or_receive":
		return []int{arm, value}
	}
	return nil
}

func sortedKeys[V any](of map[string]V) []string {
	keys := make([]string, 0, len(of))
	for key := range of {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
