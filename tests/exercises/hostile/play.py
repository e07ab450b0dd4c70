"""Plays submissions that mean no good against the grader: ./watchlab attack."""

import argparse
import concurrent.futures
import functools
import os
import pathlib
import re
import secrets
import subprocess
import sys
import tempfile
import time

import attacks
import cohort
import controls
import hand_ins
import rooms
from stage import PROGRAM, Outcome, Play, Stage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "durability"))
from lane import Stop  # noqa: E402

HONEST = ("E01t", "happy_path")  # what is graded before and after: neither all points nor none


def product(exercises, users):
    """Every attack on every exercise that it fits, for every user; a list for each attack."""
    rows = []
    for attack in attacks.read_attacks():
        fits = [exercise for exercise in exercises if attack.is_for(exercise)]
        rows.append([Play(attack.name, attack.of, exercise, user, attack)
                     for exercise in fits for user in users])
    for of, table, kinds in (("answers", hand_ins.ANSWERS, ("predict", "diagnose", "write-scenario")),
                             ("stories", hand_ins.STORIES, ("write-scenario",)),
                             ("handins", hand_ins.FILES, ("tests", "implement", "predict", "diagnose", "write-scenario"))):
        for name in table:
            rows.append([Play(name, of, exercise, user) for exercise in exercises
                         if exercise.kind in kinds for user in users])
    for name in hand_ins.ORDERS:
        rows.append([Play(name, "orders", exercise, user) for exercise in exercises
                     if exercise.id == "E22" for user in users])
    return rows


def one_of_each(rows, users):
    """Each attack once: the exercises take turns, those of tests with the others, and the users."""
    chosen = []
    for number, row in enumerate(rows):
        own = [play for play in row if play.as_root == users[number % len(users)]]
        of_tests = [play for play in own if play.exercise.kind == "tests"]
        others = [play for play in own if play.exercise.kind != "tests"]
        own = (of_tests if number // 2 % 2 == 0 else others) or own
        chosen.append(own[number // 4 % len(own)])
    return chosen


class Stopped(Exception):
    """A signal has asked for the end."""


def begin(place, names, stop):
    Stage.current = Stage(place, names)
    Stage.stop = stop  # the grader at work is asked to end; what waits is not begun
    stop.listen()


def play_one(play, honest):
    if Stage.stop.requested:
        raise Stopped
    return Stage.current.play(play, honest)


def play_pair(play, honest, expected):
    """The result of an honest submission after a hostile one is that of before, byte for byte."""
    if Stage.stop.requested:
        raise Stopped
    outcome = Stage.current.play(play, honest)
    after = Stage.current.play_honestly(expected[0], play.as_root, HONEST[1])
    same = after == expected[1]
    return Outcome(play, outcome.points,
                   outcome.problems + (() if same else ("the next submission's result is another",)),
                   outcome.seconds, outcome.processor)


def play_honestly(exercise, as_root, suite):
    if Stage.stop.requested:
        raise Stopped
    return Stage.current.play_honestly(exercise, as_root, suite)


def play_cohort(as_root, expected):
    started = time.monotonic()
    problems = cohort.play(Stage.current, as_root, *expected)
    return Outcome(Play("cohort", "cohorts", expected[0], as_root), 0, tuple(problems), time.monotonic() - started)


def find_failed_controls(exercises):
    return controls.failed_controls(Stage.current, exercises)


def honest_results(pool, exercises, users, suite):
    """The result of an honest submission to each exercise for each user; the points are the same."""
    results = {}
    for user in users:
        # The first one builds what all have in common, and each of the others what is its own.
        first = pool.submit(play_honestly, exercises[0], user, suite).result()
        others = list(pool.map(play_honestly, exercises[1:], [user] * len(exercises), [suite] * len(exercises)))
        for exercise, text in zip(exercises, [first, *others]):
            results[exercise.id, user] = text
            if points_of(text) != points_of(results[exercise.id, users[0]]):
                sys.exit(f"attack: {exercise.id}'s {suite} gets other points for another user")
    return results


def points_of(text):
    return float(re.search(rb'"score":([-+.\dE]+)', text)[1])


def play_all(pool, waiters, plays, pairs, exercises, users):
    """Starts everything, what waits for its limits in a pool of its own; each gives what it has come to."""
    starters = honest_results(pool, exercises, users, "starter")
    points = {exercise.id: points_of(starters[exercise.id, users[0]]) for exercise in exercises}
    honest = next(exercise for exercise in exercises if exercise.id == HONEST[0])
    results = honest_results(pool, [honest], users, HONEST[1])
    expected = {user: (honest, results[honest.id, user]) for user in users}
    honest_for = lambda play: 0.0 if play.of == "orders" else points[play.exercise.id]
    waiting = [pool.submit(find_failed_controls, exercises)]
    for play in plays:
        own = waiters if play.attack and play.attack.slow else pool
        waiting.append(own.submit(play_one, play, honest_for(play)))
    waiting += [pool.submit(play_pair, play, honest_for(play), expected[play.as_root]) for play in pairs]
    waiting += [pool.submit(play_cohort, user, expected[user]) for user in users]
    return waiting


def described(outcome, verbose):
    """Prints what is wrong; whether something is."""
    if outcome.problems or verbose:
        print(f"{outcome.play}: {'; '.join(outcome.problems) or 'nothing gained'}"
              f" ({outcome.seconds:.1f} s, of the processor {outcome.processor:.1f} s)", flush=True)
    return bool(outcome.problems)


def tell_all(pool, waiters, plays, pairs, exercises, users, verbose, stop):
    """Tells each as it is done: how many there were, and how many are wrong. Throws `Stopped` after a signal."""
    waiting = []
    try:
        waiting = play_all(pool, waiters, plays, pairs, exercises, users)
        wrong = 0
        for done in concurrent.futures.as_completed(waiting):
            outcome = done.result()
            if stop.requested:
                raise Stopped
            wrong += described(outcome, verbose)
    except (Exception, SystemExit) as failure:
        for each in (pool, waiters):
            each.shutdown(wait=True, cancel_futures=True)
        if stop.requested:
            raise Stopped from failure  # an interrupted run says nothing
        raise
    return len(waiting), wrong


def arguments():
    words = argparse.ArgumentParser(prog="./dev attack", description=__doc__)
    words.add_argument("names", nargs="*", metavar="NAME", help="only attacks whose name has this in it")
    words.add_argument("--long", action="store_true", help="every attack on every exercise by every user")
    words.add_argument("--every", type=int, default=1, metavar="N", help="of --long, one in N")
    words.add_argument("--skip", type=int, default=0, metavar="K", help="of --every, so many before the first")
    words.add_argument("--on", action="append", metavar="ID", help="only on this exercise; may be given again")
    words.add_argument("--pairs", type=int, metavar="N",
                       help="honest submissions after a hostile one; 5, or 50 with --long")
    # One more than there are processors: many wait for a limit for a while.
    words.add_argument("--jobs", type=int, default=(os.cpu_count() or 2) + 1, metavar="N",
                       help="so many at a time, and as many again that only wait for a limit")
    words.add_argument("--verbose", action="store_true", help="names each play, and how long it took")
    words.add_argument("--list", action="store_true", help="names each attack and what it tries")
    return words.parse_args()


def users_here():
    """Who grades, True for root: both, unless a user cannot reach this checkout."""
    if os.geteuid() != 0:
        return [False]
    reached = subprocess.run(["test", "-x", str(PROGRAM)], check=False, user=rooms.FIRST_USER,
                             group=rooms.FIRST_USER, extra_groups=[], cwd="/").returncode == 0
    if not reached:
        print(f"attack: only as root: a user without a name cannot reach {attacks.ROOT}")
    return [True, False] if reached else [True]


def main():
    chosen = arguments()
    exercises = attacks.exercises()
    users = users_here()
    fitting = [exercise for exercise in exercises if not chosen.on or exercise.id in chosen.on]
    rows = [row for row in product(fitting, users) if row and
            (not chosen.names or any(name in f"{row[0].of}/{row[0].name}" for name in chosen.names))]
    if chosen.list:
        for row in rows:
            print(f"{row[0].of + '/' + row[0].name:48} {row[0].attack.tries if row[0].attack else ''}")
        return 0
    if not rows:
        sys.exit("attack: no attack has such a name; --list names them")
    plays = [play for row in rows for play in row][chosen.skip::chosen.every] if chosen.long else \
        one_of_each(rows, users)
    count = chosen.pairs if chosen.pairs is not None else 0 if chosen.names else 50 if chosen.long else 5
    ordered = one_of_each(rows, users)
    pairs = [ordered[i * len(ordered) // count] for i in range(count)]
    started = time.monotonic()
    stop = Stop()
    with tempfile.TemporaryDirectory(prefix="watchlab-attack-") as place:
        os.chmod(place, 0o711)
        names = (f"watchlab-{secrets.token_hex(6)}", secrets.randbelow(2**30) + 2**29)
        used = {play.exercise.id for play in plays + pairs} | {HONEST[0], "E01"}
        workers = functools.partial(concurrent.futures.ProcessPoolExecutor, initializer=begin,
                                    initargs=(place, names, stop))
        with workers(chosen.jobs) as pool, workers(chosen.jobs + 1) as waiters:
            try:
                count, wrong = tell_all(pool, waiters, plays, pairs, [one for one in exercises if one.id in used], users,
                                        chosen.verbose, stop)
            except Stopped:
                print("attack: stopped by a signal; what was printed until then stands", file=sys.stderr)
                return 130
    print(f"{len(rows)} attacks, {len(plays)} plays, {len(pairs)} pairs and {len(users)} cohorts as "
          f"{' and '.join('root' if user else 'a user' for user in users)} "
          f"in {time.monotonic() - started:.0f} s")
    print(f"{count - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
