package primitives

import "fmt"

// The model says what Go's specification and the documentation of sync allow, and no more: of several
// that wait any may go on, of several ready cases any may be taken, a writer that waits keeps new
// readers out, time passes when nobody can go on. It knows nothing of how either runtime is made.

const (
	ready  = iota
	parked // at channels, for the condition, as a reader, or asleep
	over
)

// step is a part of an instruction that nobody can interrupt.
type step struct {
	kind string
	arg  int
	from Instruction
}

func compile(instruction Instruction) []step {
	which := instruction.Which
	if arms, _ := armsOf(instruction); arms != nil {
		return []step{{kind: "communicate", from: instruction}}
	}
	lock := func(m int) step { return step{kind: "lock", arg: m} }
	unlock := func(m int) step { return step{kind: "unlock", arg: m} }
	bump := func(v int) step { return step{kind: "bump", arg: v} }
	switch instruction.Op {
	case "section":
		return []step{lock(which % 2), bump(which % 2), unlock(which % 2)}
	case "nested":
		return []step{lock(which % 2), lock((which + 1) % 2), bump(0), unlock((which + 1) % 2), unlock(which % 2)}
	case "try_lock":
		return []step{{kind: "try_lock", arg: which % 2}, unlock(which % 2)}
	case "wait":
		return []step{lock(0), {kind: "wait"}, lock(0), bump(2), unlock(0)}
	case "wait_while":
		return []step{lock(0), {kind: "wait_while"}, {kind: "again"}, bump(2), unlock(0)}
	case "set_and_notify":
		return []step{lock(0), {kind: "set"}, {kind: "notify_one"}, bump(2), unlock(0)}
	case "read_section":
		return []step{{kind: "read_lock"}, {kind: "read"}, {kind: "read_unlock"}}
	case "write_section":
		return []step{{kind: "write_announce"}, {kind: "write"}, {kind: "write_unlock"}}
	case "timer_drain":
		return []step{{kind: "sleep", arg: 0}, {kind: "empty"}}
	case "spawn_join":
		return []step{{kind: "spawn", arg: which % 2}, {kind: "join"}}
	}
	return []step{{kind: instruction.Op, arg: which}}
}

type mtask struct {
	pc       int
	status   int
	deadline int // 0 for none
	at       string
	child    int // 0 none, 1 can run, 2 has ended
	cell     int
	saw      string // what it saw, a rune each
}

type state struct {
	tasks    [4]mtask
	owner    [2]int // task + 1
	values   [4]int
	cells    [2]int
	flag     bool
	buffers  [channels + 1]string
	closed   bool
	readers  int
	writer   int // task + 1: it has announced itself
	waitsFor int // readers that the writer waits for
	group    int
	now      int
}

type model struct {
	program  *Program
	steps    [][]step
	seen     map[state]bool
	outcomes map[string]bool
	limit    int
}

// Allowed returns every outcome that Go allows; false when there is too much to look at.
func Allowed(program *Program) (map[string]bool, bool) {
	m := &model{program: program, seen: map[state]bool{}, outcomes: map[string]bool{}, limit: 3_000_000}
	first := state{group: program.Group}
	for i, task := range program.Tasks {
		var steps []step
		for _, instruction := range task {
			steps = append(steps, compile(instruction)...)
		}
		m.steps = append(m.steps, steps)
		if len(steps) == 0 {
			first.tasks[i].status = over
		}
	}
	for i := len(program.Tasks); i < len(first.tasks); i++ {
		first.tasks[i].status = over
	}
	open := []state{first}
	m.seen[first] = true
	for len(open) > 0 {
		last := open[len(open)-1]
		open = open[:len(open)-1]
		next := m.after(last)
		if len(next) == 0 {
			m.outcomes[m.outcome(&last)] = true
		}
		for _, each := range next {
			if !m.seen[each] {
				m.seen[each] = true
				open = append(open, each)
			}
		}
		if len(m.seen) > m.limit {
			return nil, false
		}
	}
	return m.outcomes, true
}

func (m *model) outcome(s *state) string {
	saw := make([][]int, len(m.program.Tasks))
	stuck := false
	for i := range saw {
		for _, each := range s.tasks[i].saw {
			saw[i] = append(saw[i], int(each)-2)
		}
		stuck = stuck || s.tasks[i].status != over
	}
	return outcomeText(saw, stuck)
}

// after returns all states that one step can lead to.
func (m *model) after(s state) []state {
	var next []state
	for i := range m.steps {
		task := &s.tasks[i]
		if task.child == 1 {
			after := s
			after.tasks[i].child = 2
			after.cells[task.cell] = 7
			next = append(next, after)
		}
		switch {
		case task.status == ready:
			next = append(next, m.stepsOf(s, i)...)
		case task.status == parked && task.deadline > 0 && task.deadline <= s.now:
			next = append(next, m.fire(s, i))
		}
	}
	if len(next) > 0 {
		return next
	}
	earliest := 0
	for i := range m.steps {
		if d := s.tasks[i].deadline; s.tasks[i].status == parked && d > s.now && (earliest == 0 || d < earliest) {
			earliest = d
		}
	}
	if earliest == 0 {
		return nil
	}
	s.now = earliest
	return []state{s}
}

// fire lets the deadline of a task that is parked come.
func (m *model) fire(s state, i int) state {
	if s.tasks[i].at == "communicate" {
		m.take(&s, i, 0, -1)
	} else {
		m.wake(&s, i)
	}
	return s
}

// wake lets a parked task go on with its next step.
func (m *model) wake(s *state, i int) {
	s.tasks[i].status, s.tasks[i].deadline, s.tasks[i].at = ready, 0, ""
	m.advance(s, i)
}

func (m *model) advance(s *state, i int) {
	s.tasks[i].pc++
	if s.tasks[i].pc >= len(m.steps[i]) {
		s.tasks[i].status = over
	}
}

func (s *state) see(i, value int) { s.tasks[i].saw += string(rune(value + 2)) }

func (s *state) park(i int, at string) { s.tasks[i].status, s.tasks[i].at = parked, at }

// stepsOf returns what the next step of a ready task can lead to; nothing while it cannot go on.
func (m *model) stepsOf(s state, i int) []state {
	step := m.steps[i][s.tasks[i].pc]
	one := func() []state { m.advance(&s, i); return []state{s} }
	switch step.kind {
	case "communicate":
		return m.communicate(s, i, step.from)
	case "lock":
		if s.owner[step.arg] != 0 {
			return nil
		}
		s.owner[step.arg] = i + 1
	case "unlock":
		s.owner[step.arg] = 0
	case "try_lock":
		if s.owner[step.arg] != 0 {
			s.see(i, 0)
			m.advance(&s, i) // and past the unlocking
			return one()
		}
		s.owner[step.arg] = i + 1
		s.see(i, 1)
	case "bump":
		s.see(i, s.values[step.arg])
		s.values[step.arg]++
	case "set":
		s.flag = true
	case "wait":
		s.owner[0] = 0
		s.park(i, "wait")
		return []state{s}
	case "wait_while":
		if !s.flag {
			s.owner[0] = 0
			s.park(i, "wait")
			return []state{s}
		}
		m.advance(&s, i) // and past the way back
	case "again":
		if s.owner[0] != 0 {
			return nil
		}
		s.owner[0] = i + 1
		s.tasks[i].pc--
		return []state{s}
	case "notify_one":
		return m.notifyOne(s, i)
	case "notify_all":
		for j := range m.steps {
			if s.tasks[j].at == "wait" {
				m.wake(&s, j)
			}
		}
	default:
		if !m.simple(&s, i, step) {
			return nil
		}
		if s.tasks[i].status == parked {
			return []state{s}
		}
	}
	return one()
}

func (m *model) notifyOne(s state, i int) []state {
	m.advance(&s, i)
	var next []state
	for j := range m.steps {
		if s.tasks[j].at == "wait" {
			after := s
			m.wake(&after, j)
			next = append(next, after)
		}
	}
	if next == nil {
		return []state{s}
	}
	return next
}

// simple does a step that can go only one way. False while the task cannot go on.
func (m *model) simple(s *state, i int, step step) bool {
	switch step.kind {
	case "size":
		s.see(i, len(s.buffers[step.arg%channels]))
	case "close_done":
		s.closed = true
		for j := range m.steps {
			if s.tasks[j].at != "communicate" {
				continue
			}
			arms, _ := armsOf(m.steps[j][s.tasks[j].pc].from)
			for k, arm := range arms {
				if arm.channel == done {
					m.take(s, j, k, -1)
					break
				}
			}
		}
	case "load":
		s.see(i, s.cells[step.arg%2])
	case "store":
		s.cells[step.arg%2] = i + 1
	case "add":
		s.see(i, s.cells[step.arg%2])
		s.cells[step.arg%2]++
	case "sleep":
		s.park(i, "sleep")
		s.tasks[i].deadline = s.now + 1 + step.arg%2
	case "empty":
		s.see(i, 1)
	case "group_done":
		s.group--
	case "group_wait":
		if s.group > 0 {
			return false
		}
		s.see(i, 0)
	case "yield":
	case "spawn":
		s.tasks[i].child, s.tasks[i].cell = 1, step.arg
	case "join":
		if s.tasks[i].child != 2 {
			return false
		}
		s.tasks[i].child, s.tasks[i].cell = 0, 0
	default:
		return m.table(s, i, step)
	}
	return true
}

// table is the readers-writer lock.
func (m *model) table(s *state, i int, step step) bool {
	switch step.kind {
	case "read_lock":
		if s.writer != 0 {
			s.park(i, "read")
		} else {
			s.readers++
		}
	case "read":
		s.see(i, s.values[3])
	case "read_unlock":
		s.readers--
		if s.writer != 0 {
			s.waitsFor--
		}
	case "write_announce":
		if s.writer != 0 {
			return false
		}
		s.writer, s.waitsFor = i+1, s.readers
	case "write":
		if s.waitsFor > 0 {
			return false
		}
		s.values[3] = 10*s.values[3] + i + 1
	case "write_unlock":
		s.writer = 0
		for j := range m.steps {
			if s.tasks[j].at == "read" {
				s.readers++
				m.wake(s, j)
			}
		}
	default:
		panic(fmt.Sprintf("there is no step %q", step.kind))
	}
	return true
}

// take completes the communication of a task by an arm.
func (m *model) take(s *state, i, arm, value int) {
	for _, each := range sees(m.steps[i][s.tasks[i].pc].from.Op, arm, value) {
		s.see(i, each)
	}
	m.wake(s, i)
}

// partner is a task that is parked at the other side of a channel, and the arm by which it is.
type partner struct{ task, arm int }

func (m *model) partners(s *state, channel int, senders bool) []partner {
	var found []partner
	for j := range m.steps {
		if s.tasks[j].at != "communicate" {
			continue
		}
		arms, _ := armsOf(m.steps[j][s.tasks[j].pc].from)
		for k, each := range arms {
			if each.channel == channel && each.send == senders {
				found = append(found, partner{j, k})
			}
		}
	}
	return found
}

// communicate takes any arm that is ready, with any partner; else the default, or the task is parked.
func (m *model) communicate(s state, i int, instruction Instruction) []state {
	arms, polls := armsOf(instruction)
	var next []state
	for k, each := range arms {
		switch {
		case each.channel == timer:
		case each.send:
			next = append(next, m.send(s, i, k, each.channel)...)
		default:
			next = append(next, m.receive(s, i, k, each.channel)...)
		}
	}
	switch {
	case next != nil:
		return next
	case polls:
		m.take(&s, i, -1, -1)
	default:
		s.park(i, "communicate")
		if arms[0].channel == timer {
			s.tasks[i].deadline = s.now + 1 + instruction.Which%2
		}
	}
	return []state{s}
}

func (m *model) send(s state, i, arm, channel int) []state {
	var next []state
	for _, other := range m.partners(&s, channel, false) {
		after := s
		m.take(&after, other.task, other.arm, i+1)
		m.take(&after, i, arm, -1)
		next = append(next, after)
	}
	if next == nil && len(s.buffers[channel]) < capacities[channel] {
		s.buffers[channel] += string(rune('0' + i + 1))
		m.take(&s, i, arm, -1)
		next = append(next, s)
	}
	return next
}

func (m *model) receive(s state, i, arm, channel int) []state {
	if channel == done {
		if !s.closed {
			return nil
		}
		m.take(&s, i, arm, -1)
		return []state{s}
	}
	senders := m.partners(&s, channel, true)
	buffered := len(s.buffers[channel]) > 0
	first := 0
	if buffered {
		first = int(s.buffers[channel][0] - '0')
		s.buffers[channel] = s.buffers[channel][1:]
	}
	var next []state
	for _, other := range senders {
		after := s
		value := other.task + 1
		if buffered {
			after.buffers[channel] += string(rune('0' + value))
			value = first
		}
		m.take(&after, other.task, other.arm, -1)
		m.take(&after, i, arm, value)
		next = append(next, after)
	}
	if next == nil && buffered {
		m.take(&s, i, arm, first)
		next = append(next, s)
	}
	return next
}
