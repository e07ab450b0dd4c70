#!/usr/bin/env python3
"""Sends INT, TERM and HUP to each long command at work, and looks at how it ends and at what it leaves.

    stopped.py [--long] [COMMAND…]   with --long also those that compile: hunt, regrade, grade, museum, attack

What keeps where it stands also gets TERM as `timeout` sends it, to the command and to its whole group. Of what
compiles hunt alone gets INT, and hunt --fixed that TERM, without --long. Every command of the table gets them before
it does anything, those that write JUnit at a random early moment, and those that play several stories between two.

Each ends with a message, with status 130 (grade: of the signal itself), and leaves no process and no temporary
folder. What keeps where it stands continues from there to what it would have come to undisturbed; what plays one
story after the other says which are left. The last line is `N passed, N failed`. Exit 0 if all is as it should be.
"""

import contextlib
import fcntl
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import full_disk
from lane import Call, play_checks, processes_of
from long_commands import ROOT, TREE, WATCHLAB, Long, lines_of, long_commands, words_of

COURSE = str(TREE / "exercises/grader/watchlab-course")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
INTERRUPTED = 130
AS_TIMEOUT = "SIGTERM, twice"
WAYS = (*(number.name for number in SIGNALS), AS_TIMEOUT)
# Of what compiles: how it is stopped without --long and without its name, which takes minutes.
BRIEF = {"hunt": ("SIGINT",), "fixed": (AS_TIMEOUT,), "regrade": ()}
TRIES = 3  # on a busy machine a command may come to its end before the signal comes
LOOKS = 1000  # at what a command has left, a hundredth of a second each


def wait_until(process, holds):
    """Until that holds, or the process has ended."""
    while process.poll() is None and not holds():
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.01)


def send(process, way):
    if way == AS_TIMEOUT:
        process.send_signal(signal.SIGTERM)
        time.sleep(0.02)  # or the kernel may make one signal of the two
        os.killpg(process.pid, signal.SIGTERM)
    else:
        process.send_signal(signal.Signals[way])


def stopped(command, way, is_at_work):
    """Status and words of a command that gets a signal when it is at work, and what is wrong with what it left."""
    process = command.start(err=subprocess.STDOUT)
    wait_until(process, is_at_work)
    if process.poll() is not None:
        return process.returncode, process.communicate()[0], "ended before it was at work"
    send(process, way)
    said, _ = process.communicate()
    left = processes_of(command.state)
    for _ in range(LOOKS if left else 0):
        left = processes_of(command.state)
        if not left:
            break
        time.sleep(0.01)
    folders = [path.name for path in (command.state.parent / "tmp").iterdir()]
    wrong = f"left the processes {left}" if left else f"left {folders} in TMPDIR" if folders else ""
    return process.returncode, said, wrong


def heeds_signals(place, word):
    """Whether a process of this place with that word in its call has a handler for TERM by now."""
    for number, words in processes_of(place).items():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # where it has ended meanwhile
            status = pathlib.Path(f"/proc/{number}/status").read_text()
            if word in words.split() and int(status.split("SigCgt:")[1].split()[0], 16) >> (signal.SIGTERM - 1) & 1:
                return True
    return False


def is_at_work(command):
    """What finds nothing is at work when the fuzzer of it is."""
    return command.has_finding() if command.finding else heeds_signals(command.state, "fuzz")


def wrong_with_keeper(command, way, undisturbed):
    """Of a command that keeps where it stands."""
    for _ in range(TRIES):
        status, said, wrong = stopped(command, way, lambda: is_at_work(command))
        if status != 0:
            break
    if wrong or status != INTERRUPTED:
        return wrong or f"ended with {status}: {said}"
    if "--resume" not in said or "Traceback" in said:
        return f"does not say how to go on: {said}"
    found = command.finished(command.start(command.resume_words()))
    return "" if found == undisturbed else f"went on to\n  {found}\ninstead of\n  {undisturbed}"


def wrong_with_other(command, way, status_wanted, message):
    """Of a command that keeps nothing: it is at work when it has a child of its own that is at work."""
    status, said, wrong = stopped(command, way, lambda: len(processes_of(command.state)) >= 3)
    if wrong or status != status_wanted:
        return wrong or f"ended with {status} instead of {status_wanted}: {said}"
    return "" if message in said and "Traceback" not in said else f"says {said!r} instead of {message!r}"


def keepers(place):
    """Those of long_commands, and one that finds nothing: name -> a function that makes the command."""
    fixed = [sys.executable, "tests/mutants/hunt.py", "--fixed", "--json", "--seeds", "1..1500"]
    return {**long_commands(place),
            "fixed": lambda: Long("fixed", fixed, lines_of, "fuzz.*.resume", b"").live_in(place)}


def others(place):
    """Commands that keep nothing: name, command, status for a signal, what it says."""
    cohort = place / "cohort"
    for name in ("one", "two"):
        (cohort / name).mkdir(parents=True, exist_ok=True)
        for file in (ROOT / "exercises/01t-store-tests/instructor/suites/empty").iterdir():
            shutil.copy(file, cohort / name)
    grade = [COURSE, "grade", "E01t", "--cohort", str(cohort), "--out", str(place / "results")]
    museum = [sys.executable, "tests/museum/museum.py", "run"]
    attack = [sys.executable, "tests/exercises/hostile/play.py", "symbols/"]
    return [(Long("grade", grade, words_of, "", b"").live_in(place), lambda number: -number, ""),
            (Long("museum", museum, words_of, "", b"").live_in(place), lambda _: INTERRUPTED, "stopped"),
            (Long("attack", attack, words_of, "", b"").live_in(place), lambda _: INTERRUPTED, "stopped")]


OUTSIDE = """apiVersion: watchlab/v1
name: {}
story: s
clients: [{{name: outside, kind: external}}]
until: 1m
"""
CROWD = """apiVersion: watchlab/v1
name: crowd
story: s
server: {bulk_objects: 50000}
clients: [{name: x, kind: informer}]
"""
# A command that heeds no signal, with another one in its group that does not, either.
STUBBORN = "trap '' INT TERM HUP; sleep 3600 & while :; do sleep 1; done"
TICKS_AT_WORK = 60  # hundredths of a second of a processor
CONTINUES = "; to continue"


def has_begun(command):
    """The client of a served story is there, with its own child."""
    return len(processes_of(command.state)) >= 3


def computes(command):
    """Of a command without children: it has used a processor for a while."""
    for number in processes_of(command.state):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            spent = pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(") ", 1)[1].split()[11]
            if int(spent) >= TICKS_AT_WORK:
                return True
    return False


def one_run_calls(place):
    """What keeps nothing: name -> words, when it is at work, what it says, what stands in its JUnit file or ""."""
    served = place / "served"
    served.mkdir(exist_ok=True)
    for name in ("a", "b", "c"):
        (served / f"{name}.yaml").write_text(OUTSIDE.format(name))
    (place / "crowd.yaml").write_text(CROWD)
    crowd, out, junit = (str(place / name) for name in ("crowd.yaml", "tmp/out", "junit.xml"))
    client = ["--junit", junit, "--", "bash", "-c", STUBBORN]
    skipped = '<skipped message="a signal came after '
    return {
        "serve": (["serve", str(served / "a.yaml"), *client], has_begun, ["stopped  ", CONTINUES], skipped),
        "serve_folder": (["serve", str(served), *client], has_begun,
                         ["0 held, 0 failed, 1 stopped, 2 not played", CONTINUES], skipped),
        "run_folder": (["run", *["scenarios"] * 8, "--junit", junit], computes,
                       [" stories were not played" + CONTINUES],
                       '<skipped message="the call ended before it was played"/>'),
        "digest_folder": (["digest", *["scenarios"] * 8], computes, [" stories were not played" + CONTINUES], ""),
        "draw": (["draw", crowd, "-o", out], computes, ["stopped\n"], ""),
        "report": (["report", crowd, "-o", out], computes, ["stopped\n"], ""),
        "trace": (["trace", crowd, "-o", out], computes, ["stopped\n"], ""),
    }


def wrong_with_one_run(place, name, way):
    words, is_at_work, messages, in_junit = one_run_calls(place)[name]
    command = Long(name, [WATCHLAB, *words], words_of, "", b"").live_in(place)
    status, said, wrong = stopped(command, way, lambda: is_at_work(command))
    junit = place / "junit.xml"
    results = junit.read_text() if junit.exists() else ""
    junit.unlink(missing_ok=True)
    if wrong or status != INTERRUPTED:
        return wrong or f"ended with {status}: {said}"
    if "Traceback" in said or 'failures="0"' not in results and in_junit:
        return f"says {said} and {results}"
    lost = [message for message in messages if message not in said] + ([in_junit] if in_junit not in results else [])
    return f"says not {lost} but {said} and {results}" if lost else ""


def start_with(number, words, place, is_pending=True, **more):
    """A command whose first lines let a signal through: one that has come already, or comes before these."""
    def hold():
        signal.pthread_sigmask(signal.SIG_BLOCK, [number])
        if is_pending:
            os.kill(os.getpid(), number)

    environment = {**os.environ, "NO_COLOR": "1", "XDG_STATE_HOME": str(place / "state"), "TMPDIR": str(place / "tmp")}
    return subprocess.Popen([WATCHLAB, *words], cwd=ROOT, env=environment, text=True, stdin=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, preexec_fn=hold, **{"stdout": subprocess.PIPE, **more})


# What those commands are called with that full_disk.py calls in a shell, or not with a file that they may write.
AT_ONCE = {"fault": "list --server http://127.0.0.1:1", "mcp": "", "draw": "$/hasty.yaml -o $/picture.svg",
           "report": "$/hasty.yaml -o $/page.html", "trace": "$/hasty.yaml -o $/run2.jsonl", "fuzz": "--show 17"}


def at_once(place):
    """Each command of the table: a word, status 130, and no file, whichever signal came before it did anything."""
    full_disk.prepare(place)
    (place / "state").mkdir()
    files = sorted(place.glob("*"))
    for name in full_disk.commands_of(WATCHLAB):
        words = full_disk.words_of(AT_ONCE.get(name, full_disk.PRINTING[WATCHLAB][name]), place)
        for number in SIGNALS:
            process = start_with(number, [name, *words], place)
            with contextlib.suppress(subprocess.TimeoutExpired):  # what loses the signal would go on for ever
                process.wait(60)
            process.kill()
            _, said = process.communicate()
            left = [str(path) for path in sorted(place.glob("*")) if path not in files]
            expected = 0 if name == "serve" else INTERRUPTED  # a server alone is never stopped too early
            is_right = process.returncode == expected and said and not left
            yield f"{name}, {number.name}, before anything", "" if is_right else \
                f"ended with {process.returncode} and left {left}: {said}"


def results_of(junit):
    """How many stories are in a JUnit file, and how many of them were skipped for a reason."""
    text = junit.read_text() if junit.exists() else ""
    junit.unlink(missing_ok=True)
    return text.count("<testcase "), text.count("<skipped message=")


def early(place):
    """At a random early moment no story is lost: each has its result, or is skipped with a reason."""
    junit = place / "junit.xml"
    for name, words in {"run": ["run", "scenarios/basics", "scenarios/relist"], "validate": ["validate", "scenarios"],
                        "explore": ["explore", "scenarios/basics", "-n", "40"], "fuzz": ["fuzz", "--seeds", "1..60"],
                        "migrate": ["migrate", "--check", "scenarios"]}.items():
        words += ["--junit", str(junit)]
        undisturbed = subprocess.run([WATCHLAB, *words], cwd=ROOT, check=False, stdout=subprocess.DEVNULL).returncode
        stories, _ = results_of(junit)
        for number in SIGNALS:
            after = random.uniform(0, 0.05)
            process = start_with(number, words, place, is_pending=False)
            time.sleep(after)
            process.send_signal(number)
            _, said = process.communicate()
            found, skipped = results_of(junit)
            wanted = skipped > 0 if process.returncode == INTERRUPTED else process.returncode == undisturbed
            yield f"{name}, {number.name}, after {after:.3f} s", "" if wanted and found == stories else \
                f"ended with {process.returncode}, {found} of {stories} stories, {skipped} skipped: {said}"


def is_printing(number):
    """Whether a process waits in a call of the system about its standard output."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        calls = [path.read_text().split() for path in pathlib.Path(f"/proc/{number}/task").glob("*/syscall")]
        return any(call[1:2] == ["0x1"] for call in calls)
    return False


def begin_blocked(words, place):
    """A command that has one result to print, and waits for room in the pipe that it prints into; and that pipe."""
    ours, theirs = os.pipe()
    size = fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, 4096)
    os.write(theirs, b"\n" * size)
    process = Long("between", [WATCHLAB, *words], words_of, "", b"").live_in(place).start(out=theirs, err=subprocess.PIPE)
    os.close(theirs)
    while process.poll() is None and not is_printing(process.pid):
        time.sleep(0.01)
    return process, ours


def between(place):
    """Of three stories, between the first and the second."""
    stories, junit = place / "three", place / "junit.xml"
    stories.mkdir()
    for name in ("a", "b", "c"):
        (stories / f"{name}.yaml").write_text(f"apiVersion: watchlab/v1\nname: {name}\nstory: s\n"
                                              "clients: [{name: x, kind: informer}]\n")
    for words, message in ((["run", "--junit", str(junit)], "2 of 3 stories were not played" + CONTINUES),
                           (["explore", "-n", "9", "--junit", str(junit)], "1 held, 0 failed, 0 stopped, 2 not begun"),
                           (["digest"], "2 of 3 stories were not played" + CONTINUES),
                           (["serve", "--junit", str(junit)], "stopped" + CONTINUES)):
        for number in SIGNALS:
            command = ["--", "true"] if words[0] == "serve" else []
            process, pipe = begin_blocked([*words, str(stories), "--json", *command], place)
            process.send_signal(number)
            with open(pipe, encoding="utf-8") as rest:
                lines = [line for line in rest if '"held":true' in line]
            _, said = process.communicate()
            is_right = process.returncode == INTERRUPTED and message in said and len(lines) == 1
            wanted = (3, 2) if "--junit" in words else (0, 0)
            found = results_of(junit)
            yield f"{words[0]}, {number.name}, between two stories", "" if is_right and found == wanted else \
                f"ended with {process.returncode}, {len(lines)} lines, {found}: {said}"


# What remains at the end of a program is deleted when Python's handlers of signals are gone.
SIGNALLED_AT_THE_END = """
import os, signal, lane
class Last:
    def __del__(self, kill=os.kill, number=os.getpid(), second=signal.SIGTERM): kill(number, second)
last = Last()
stop = lane.Stop()
os.kill(os.getpid(), signal.SIGTERM)
"""


def at_the_end():
    """Of `timeout`'s two signals the second may come when a lane has said its last word."""
    place = pathlib.Path(__file__).resolve().parent
    done = subprocess.run([sys.executable, "-c", SIGNALLED_AT_THE_END], cwd=place, check=False)
    return f"ended with {done.returncode}" if done.returncode else ""


def plays(place):
    """(name, what is wrong) of each command and signal."""
    call = Call()
    for number in SIGNALS:  # a shell starts what runs in its background with INT ignored, and commands heed that
        signal.signal(number, signal.SIG_DFL)
    if call.wants("lane"):
        yield f"lane, {AS_TIMEOUT}, at its end", at_the_end()
    for part in (at_once, early, between):
        if call.wants(part.__name__):
            (place / part.__name__).mkdir()
            yield from part(place / part.__name__)
    for name, make in keepers(place).items():
        ways = WAYS if call.is_long or call.names else BRIEF.get(name, WAYS)
        if call.wants(name, is_slow=not ways):
            command = make()
            undisturbed = command.finished(command.start())
            for way in ways:
                yield f"{name}, {way}", wrong_with_keeper(command, way, undisturbed)
    for name in one_run_calls(place):
        if call.wants(name):
            for way in WAYS:
                yield f"{name}, {way}", wrong_with_one_run(place, name, way)
    for command, status, message in others(place):
        if call.wants(command.name, is_slow=True):
            for number in SIGNALS:
                yield f"{command.name}, {number.name}", wrong_with_other(command, number.name, status(number), message)


def checks(place):
    for name, wrong in plays(place):
        yield name, wrong
        for folder in ("state", "tmp"):
            shutil.rmtree(place / folder, ignore_errors=True)
            (place / folder).mkdir(mode=0o711)


if __name__ == "__main__":
    sys.exit(play_checks("stopped", checks))
