package watchlab

// An alternative is what a run takes at one of its decisions, instead of the usual choice.
type alternative struct {
	decision uint64
	which    uint32
}

// An order is a run that the search by deviations is to play.
type order struct {
	taken []alternative
	rank  int
}

// searchByDeviations plays all orders with at most Options.Depth deviations from the default order. The rank of an
// order says when: it is the number of its deviations, and more for those at a place where the goroutine has been
// before, so that a loop that asks again and again does not keep the search at its first deviation.
func (p *player) searchByDeviations() {
	o := p.task.Options
	ranks := [][]order{{{}}}
	for rank := 0; rank < len(ranks); rank++ {
		for i := 0; i < len(ranks[rank]); i++ {
			if p.Runs >= o.Runs || !p.inTime() {
				return
			}
			each := ranks[rank][i]
			if !p.playOrder(each.taken) {
				return
			}
			if len(each.taken) == o.Depth {
				continue
			}
			for _, next := range furtherThan(each) {
				for len(ranks) <= next.rank {
					ranks = append(ranks, nil)
				}
				if len(ranks[next.rank]) < o.Runs { // more of a rank are never played
					ranks[next.rank] = append(ranks[next.rank], next)
				}
			}
		}
		ranks[rank] = nil
	}
	p.Complete = true
}

func (p *player) playOrder(taken []alternative) bool {
	decisions, which := make([]uint64, 0, 16), make([]uint32, 0, 16)
	for _, each := range taken {
		decisions, which = append(decisions, each.decision), append(which, each.which)
	}
	hooks.prefix(decisions, which)
	p.Runs++
	return p.play("dfs", config{strategy: strategyPrefix, seed: uint64(p.Runs), lag: max(int64(p.task.Options.Lag), 0)})
}

// furtherThan are the orders with one deviation more than the one that was just played.
func furtherThan(played order) (further []order) {
	next := uint64(1)
	if n := len(played.taken); n > 0 {
		next = played.taken[n-1].decision + 1
	}
	widths, again := hooks.widths()
	for i := next; i < uint64(len(widths)); i++ {
		for k := 1; k < int(widths[i]); k++ {
			taken := append(played.taken[:len(played.taken):len(played.taken)], alternative{i, uint32(k)})
			further = append(further, order{taken, played.rank + 1 + int(again[i])})
		}
	}
	return further
}
