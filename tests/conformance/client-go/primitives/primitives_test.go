package primitives

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

const runs = 200

// TestPrograms judges each line of the file that WATCHLAB_PROGRAMS names.
func TestPrograms(t *testing.T) {
	path := os.Getenv("WATCHLAB_PROGRAMS")
	if path == "" {
		t.Skip("WATCHLAB_PROGRAMS names no file; ./dev conformance does")
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<28)
	total, played, whole, agree, shown, possible := 0, 0, 0, 0, 0, 0
	for lines.Scan() {
		var program Program
		if err := json.Unmarshal(lines.Bytes(), &program); err != nil {
			t.Fatal(err)
		}
		total++
		verdict := judge(t, &program)
		for _, each := range verdict.differences {
			t.Errorf("program %d (%s): %s", program.Seed, program.text(), each)
		}
		if len(verdict.differences) == 0 {
			agree++
		}
		if program.Playable() {
			played++
		}
		if program.Exhausted {
			whole++
		}
		shown += verdict.shown
		possible += len(program.Outcomes)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("SUMMARY %d programs over the primitives: %d agree, %d differ; %d explored whole, with %d outcomes; "+
		"%d played %d times in Go, which showed %d of them", total, agree, total-agree, whole, possible, played,
		runs, shown)
}

type verdict struct {
	differences []string
	shown       int // outcomes that Go showed
}

func judge(t *testing.T, program *Program) verdict {
	var result verdict
	ours := map[string]bool{}
	for _, outcome := range program.Outcomes {
		ours[outcome] = true
	}
	allowed, whole := Allowed(program)
	if !whole {
		result.differences = append(result.differences, "the model has too many states")
		return result
	}
	for _, outcome := range sortedKeys(ours) {
		if !allowed[outcome] {
			result.differences = append(result.differences, "watchlab shows what Go does not allow: "+outcome)
		}
	}
	for _, outcome := range sortedKeys(allowed) {
		if program.Exhausted && !ours[outcome] {
			result.differences = append(result.differences, "Go allows what watchlab never shows: "+outcome)
		}
	}
	for _, outcome := range sortedKeys(shownByGo(t, program, ours)) {
		result.shown++
		if !ours[outcome] {
			result.differences = append(result.differences, "Go showed what watchlab never shows: "+outcome)
		}
		if !allowed[outcome] {
			result.differences = append(result.differences, "Go showed what the model does not allow: "+outcome)
		}
	}
	return result
}

// shownByGo returns the outcomes of many runs. Few of them may get stuck: each costs a wait.
func shownByGo(t *testing.T, program *Program, known map[string]bool) map[string]bool {
	const stuckMax = 15
	shown := map[string]bool{}
	stuck := 0
	for run := 0; run < runs && stuck < stuckMax && program.Playable(); run++ {
		outcome := playOnce(t, program, int64(program.Seed*runs+run), func(text string) bool { return known[text] })
		shown[outcome] = true
		if len(outcome) >= 5 && outcome[len(outcome)-5:] == "stuck" && !program.inTime() {
			stuck++
		}
	}
	return shown
}
