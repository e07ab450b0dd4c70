"""Plays submissions that mean no good against the grader: ./watchlab attack."""

import argparse
import concurrent.futures
import os
import re
import secrets
import sys
import tempfile
import time

import attacks
import controls
import hand_ins
from stage import Outcome, Play, Stage

HONEST = ("E01t", "happy_path")  # what is graded before and after: neither all points nor none


def product(exercises, users):
    """Every attack on every exercise that it fits, for every user; a list for each attack."""
    rows = []
    for attack in attacks.read_attacks():
        fits = [exercise for exercise in exercises if attack.is_for(exercise)]
        rows.append([Play(attack.name, attack.of, exercise, user, attack)
                     for exercise in fits for user in users])
    for of, table, kinds in (("answers", hand_ins.ANSWERS, ("predict", "diagnose")),
                             ("files", hand_ins.FILES, ("tests", "implement", "predict", "diagnose"))):
        for name in table:
            rows.append([Play(name, of, exercise, user) for exercise in exercises
                         if exercise.kind in kinds for user in users])
    return rows


def one_of_each(rows, users):
    """Each attack once: the exercises take turns, and the users."""
    chosen = []
    for number, row in enumerate(rows):
        own = [play for play in row if play.as_root == users[number % len(users)]]
        chosen.append(own[number * 3 % len(own)])
    return chosen


def begin(place, names):
    Stage.current = Stage(place, names)


def play_one(play, honest):
    return Stage.current.play(play, honest)


def play_pair(play, honest, expected):
    """The result of an honest submission after a hostile one is that of before, byte for byte."""
    outcome = Stage.current.play(play, honest)
    after = Stage.current.play_honestly(expected[0], play.as_root, HONEST[1])
    same = after == expected[1]
    return Outcome(play, outcome.points,
                   outcome.problems + (() if same else ("the next submission's result is another",)),
                   outcome.seconds)


def play_honestly(exercise, as_root, suite):
    return Stage.current.play_honestly(exercise, as_root, suite)


def prepare(pool, exercises, users):
    """The points of each starter, and the result of an honest submission; builds what is not built."""
    by_id = {exercise.id: exercise for exercise in exercises}
    # One after the other: what is missing is built by the first, for all.
    list(pool.map(play_honestly, exercises, [users[0]] * len(exercises), ["starter"] * len(exercises)))
    points = {}
    for exercise in exercises:
        texts = list(pool.map(play_honestly, [exercise] * len(users), users, ["starter"] * len(users)))
        if len(set(texts)) != 1:
            sys.exit(f"attack: {exercise.id}'s starter gets another result for another user")
        points[exercise.id] = float(re.search(rb'"score":([-+.\dE]+)', texts[0])[1])
    honest = by_id[HONEST[0]]
    texts = list(pool.map(play_honestly, [honest] * len(users), users, [HONEST[1]] * len(users)))
    if len(set(texts)) != 1:
        sys.exit("attack: an honest submission gets another result for another user")
    return points, (honest, texts[0]), pool.submit(find_failed_controls, exercises)


def find_failed_controls(exercises):
    return controls.failed_controls(Stage.current, exercises)


def run(chosen, pairs, options):
    """Plays all in a pool, and prints what is wrong with each; how many are."""
    points, expected = options["points"], options["expected"]
    wrong = 0
    with concurrent.futures.ProcessPoolExecutor(options["jobs"], initializer=begin,
                                                initargs=(options["place"], options["names"])) as pool:
        waiting = [pool.submit(play_one, play, points[play.exercise.id]) for play in chosen]
        waiting += [pool.submit(play_pair, play, points[play.exercise.id], expected) for play in pairs]
        for done in concurrent.futures.as_completed(waiting):
            outcome = done.result()
            wrong += 1 if outcome.problems else 0
            if outcome.problems or options["verbose"]:
                print(f"{outcome.play}: {'; '.join(outcome.problems) or 'nothing gained'}"
                      f" ({outcome.seconds:.1f} s)", flush=True)
    return wrong


def arguments():
    words = argparse.ArgumentParser(prog="./watchlab attack", description=__doc__)
    words.add_argument("names", nargs="*", metavar="NAME", help="only attacks whose name has this in it")
    words.add_argument("--long", action="store_true", help="every attack on every exercise by every user")
    words.add_argument("--every", type=int, default=1, metavar="N", help="of --long, one in N")
    words.add_argument("--pairs", type=int, metavar="N",
                       help="honest submissions after a hostile one; 5, or 50 with --long")
    words.add_argument("--jobs", type=int, default=max(2, os.cpu_count() or 2), metavar="N",
                       help="so many at a time")
    words.add_argument("--verbose", action="store_true", help="names each play, and how long it took")
    words.add_argument("--list", action="store_true", help="names each attack and what it tries")
    return words.parse_args()


def main():
    chosen = arguments()
    exercises = attacks.exercises()
    users = [True, False] if os.geteuid() == 0 else [False]
    rows = [row for row in product(exercises, users)
            if not chosen.names or any(name in f"{row[0].of}/{row[0].name}" for name in chosen.names)]
    if chosen.list:
        for row in rows:
            print(f"{row[0].of + '/' + row[0].name:48} {row[0].attack.tries if row[0].attack else ''}")
        return 0
    if not rows:
        sys.exit("attack: no attack has such a name; --list names them")
    plays = [play for row in rows for play in row][::chosen.every] if chosen.long else \
        one_of_each(rows, users)
    count = chosen.pairs if chosen.pairs is not None else 0 if chosen.names else 50 if chosen.long else 5
    ordered = one_of_each(rows, users)
    pairs = [ordered[i * len(ordered) // count] for i in range(count)]
    with tempfile.TemporaryDirectory(prefix="watchlab-attack-") as place:
        os.chmod(place, 0o711)
        names = (f"watchlab-{secrets.token_hex(6)}", secrets.randbelow(2**30) + 2**29)
        used = {play.exercise.id for play in plays + pairs} | {HONEST[0], "E01"}
        started = time.monotonic()
        points, expected, failed = prepare(
            place, names, [exercise for exercise in exercises if exercise.id in used], users)
        for control in failed:
            print(f"a check does not see what was planted: {control}")
        prepared = time.monotonic()
        wrong = len(failed) + run(plays, pairs, {
            "points": points, "expected": expected, "place": place, "names": names,
            "jobs": chosen.jobs, "verbose": chosen.verbose})
    print(f"{len(rows)} attacks, {len(plays)} plays and {len(pairs)} pairs as "
          f"{' and '.join('root' if user else 'a user' for user in users)} in "
          f"{time.monotonic() - prepared:.0f} s, after {prepared - started:.0f} s for honest ones")
    print(f"{len(plays) + len(pairs) - wrong + len(failed)} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
