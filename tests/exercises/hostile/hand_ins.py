"""Attacks that are no program: answers that break their reader, and files that are none."""

import os
import socket

# Answers to predict and diagnose exercises: what the one file holds.
DEEP = 100_000
ANSWERS = {
    "is_empty": lambda: b"",
    "is_no_yaml": lambda: b"locked: [}\n\t: :\n%",
    "is_bytes": lambda: bytes(range(256)) * 40,
    "is_a_list": lambda: b"- 1\n- 2\n",
    "is_deeply_nested": lambda: b"locked: " + b"[" * DEEP + b"]" * DEEP + b"\n",
    "is_deeply_nested_maps": lambda: b"cases: " + b"{a: " * DEEP + b"}" * DEEP + b"\n",
    "laughs_a_billion_times": lambda: b"a0: &a0 [x, x]\n" + b"".join(
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n".encode() for i in range(1, 30))
        + b"locked: *a29\ncases: *a29\n",
    "refers_to_itself": lambda: b"locked: &a [*a, *a]\ncases: &b {build_1: *b}\n",
    "merges_without_end": lambda: b"cases: &c\n  <<: *c\n  build_1: {<<: *c, clause: C1}\n",
    "has_huge_numbers": lambda: b"locked: [{what: answer, at: 9999999999999999999999, question: 1e999, "
                                b"text: -0x7fffffffffffffffffff, seal: .inf}]\ncases: {build_1: 1e400}\n",
    "has_a_long_key": lambda: b"? " + b"k" * 900_000 + b"\n: 1\n",
    "has_many_keys": lambda: b"cases:\n" + b"".join(f"  b{i}: {{}}\n".encode() for i in range(60_000)),
    "has_escapes": lambda: b'cases: {"\\e[2Jbuild_1\\0": {clause: "\\e[31m\\u202e", schedule: "\\a"}}\n'
                           b'locked: [{what: "\\e[2J", at: "\\0", question: "\\b", text: x, seal: y}]\n',
    "has_latin_letters": lambda: b"cases: {build_1: {clause: \xe9, schedule: \xff}}\nlocked: [\xe9]\n",
    "has_a_long_schedule": lambda: b'cases: {build_1: {clause: C1, schedule: "' + b"1:" * 400_000 + b'"}}\n',
    "has_odd_schedules": lambda: b'cases:\n  build_1: {clause: C1, schedule: "../../../etc/passwd"}\n'
                                 b'  build_2: {clause: "", schedule: "-1 --help; id"}\n'
                                 b'  ../../x: {clause: C1, schedule: "%n%s"}\n',
    "has_schedules_by_file": lambda: b'cases:\n  build_1: {clause: C2, schedule: "@/dev/zero"}\n'
                                     b'  build_2: {clause: C2, schedule: "@answers.yaml"}\n'
                                     b'  build_3: {clause: C2, schedule: "w1:0:1::0.1=4294967295:0"}\n',
    "has_seals_of_its_own": lambda: b"locked:\n" + b"".join(
        b'  - {what: revealed, at: "2026-01-01T00:00:00Z", question: "", text: "", seal: "%016x"}\n' % i
        for i in range(100)),
    "includes_files": lambda: b"locked: !include /etc/passwd\ncases: !!python/object/apply:os.system [id]\n",
}

STORY = """apiVersion: watchlab/v1
name: build_1
story: |
  It wants to be more than a story.

"""
INFORMER = "clients:\n  - {name: informer, kind: informer}\n\n"
# Scenario files: what a student writes where a story is handed in.
STORIES = {
    "runs_a_program": STORY + "clients:\n  - {name: informer, kind: go, run: [/bin/sh, -c, 'id > /tmp/it_ran; kill -9 1']}\n",
    "chooses_its_controller": STORY + "clients:\n  - {name: controller, kind: go, run: [../server/correct_1], makes: [x]}\n"
                              "expect:\n  - notes: {never: [x]}\n",
    "builds_a_controller": STORY + "clients:\n  - {name: controller, kind: go, run: [go, test, -exec, 'sh -c id', .]}\n",
    "plays_a_program_of_the_catalogue": STORY + "program: relist_a_change\n",
    "names_a_machine": STORY + "clients:\n  - {name: informer, kind: informer, machine: modern}\n",
    "is_of_another_name": STORY.replace("build_1", "../../build_2") + INFORMER,
    "expects_what_no_client_does": STORY + INFORMER + "expect:\n  - requests: {exactly: []}\n",
    "fails_by_its_step_limit": STORY + INFORMER + "explore: {steps: 40}\n",
    "is_very_large": STORY + "server:\n  objects: [" + ", ".join(f"o{i}" for i in range(60_000)) + "]\n" + INFORMER,
    "never_comes_to_an_end": STORY + "server: {bulk_objects: 50000}\n" + INFORMER + "script:\n" + "".join(
        f"  - {{at: {i}ms, update: {{name: bulk-{i}, data: {{a: b}}}}}}\n" for i in range(3000)) + "within: 1000000h\n",
}

# A test of E22 that fails with correct libraries in some orders, and so is worth nothing.
STRICT = b"""package exercise_test

import (
	"sync"
	"testing"

	watchlab "example.org/watchlab/goroutines"

	"exercise"
)

func TestTheNewestIsNotFirst(t *testing.T) {
	SETS
	watchlab.Explore(t, func(t *testing.T) {
		q := exercise.New()
		defer q.Close()
		var all sync.WaitGroup
		first := 0
		for _, v := range []int{2, 3, 1} {
			all.Add(1)
			go func() { if first == 0 { first = v }; defer all.Done(); q.Updated("a", v) }()
		}
		all.Wait()
		if first == 3 { t.Errorf("first %d", first) }
		if v := q.Version("a"); v != 3 { t.Errorf("version %d", v) }
	}, watchlab.Options{})
}
"""
# What it sets so that only orders of its own choice are played.
ORDERS = {name: lambda sets=sets: STRICT.replace(b"SETS", sets) for name, sets in {
    "pins_its_order": b't.Setenv("WATCHLAB_SCHEDULE", "v1/values=0/lag=100000000/points=32/1@6:1.3,1.3@3:1")',
    "says_that_it_is_played": b't.Setenv("WATCHLAB_EXPLORE", "{}")',
    "starts_itself_again_and_again": b't.Setenv("WATCHLAB_EXPLORE", "")',
    "asks_for_one_order": b't.Setenv("ORDERS", "1"); t.Setenv("SEED", "7")',
}.items()}


def remove(path):
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


def bind(path):
    one = socket.socket(socket.AF_UNIX)
    here = os.open(path.parent, os.O_RDONLY)
    one.bind(f"/proc/self/fd/{here}/{path.name}")  # a socket's path may not be long
    os.close(here)
    one.close()


# Files that are not what a submission is: each makes one of the path, where nothing is.
FILES = {
    "is_missing": lambda path, exercise: None,
    "is_an_empty_file": lambda path, exercise: path.write_bytes(b""),
    "is_a_folder": lambda path, exercise: path.mkdir(),
    "is_a_pipe": lambda path, exercise: os.mkfifo(path),
    "is_a_socket": lambda path, exercise: bind(path),
    "is_a_link_to_the_solution":
        lambda path, exercise: path.symlink_to(exercise.first("instructor/solution/*")),
    "is_a_link_to_a_hidden_file": lambda path, exercise: path.symlink_to(exercise.hidden),
    "is_a_link_to_itself": lambda path, exercise: path.symlink_to(path.name),
    "is_an_endless_device": lambda path, exercise: path.symlink_to("/dev/zero"),
    "is_too_large": lambda path, exercise: path.write_bytes(b"// x\n" * 500_000),
    "is_large_and_has_holes": lambda path, exercise: (path.touch(), os.truncate(path, 1 << 40)),
    "is_zeros": lambda path, exercise: path.write_bytes(b"\0" * 1_000_000),
    "is_of_wide_letters": lambda path, exercise: path.write_text(exercise.starter, encoding="utf-16"),
    "is_one_long_line": lambda path, exercise: path.write_bytes(b"x" * 1_000_000),
    "has_company": lambda path, exercise: bring_company(path, exercise),
}


def bring_company(path, exercise):
    """Files that were not asked for, under names that a compiler or a grader looks for."""
    path.write_text(exercise.starter)
    for name in ("boost/test/unit_test.hpp", "map", "memory", "exercise.yaml", "results.json", "specs",
                 "exercises/toolkit/worlds.hpp", "libwatchlab-toolkit.so", "\033[2J", "caf\udce9"):
        file = path.parent / name
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text("#error company\n")
