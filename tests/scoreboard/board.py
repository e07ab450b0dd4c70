#!/usr/bin/env python3
"""Measures how many schedules our strategies need to find the known bugs of a suite, beside what others have
published. `./dev scoreboard --help` has the options."""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
player = root / 'build/release/tests/scoreboard/watchlab-scoreboard'
page = root / 'docs/scoreboard.md'

# Ours. The first is the one that is compared with the others'.
STRATEGIES = ('portfolio', 'random', 'pct', 'pos', 'surw', 'dpor', 'dfs')
# Why a strategy misses a program, by expressions for both: the first that fits.
REASONS = (
    ('.', 'SafeStack', 'its bug needs five preemptions, each in its place. Nobody finds it within the cap; SURW does in 19 of 20 '
     'trials within 1,000,000 schedules, in 13,238 at least'),
    ('pct', '.', 'only one of a hundred threads checks, and it has to run between two steps of another, which random '
     'priorities rarely allow'),
    ('dpor|dfs', '.', 'the tree of so many threads is larger than the cap by far, and a systematic search goes through it in order'),
)
# Those who have published figures, by their key in a row.
PEERS = {'surw': 'SURW', 'pct3': 'PCT-3', 'pct10': 'PCT-10', 'pos': 'POS', 'random': 'random walk', 'period': 'PERIOD'}
PEER_TRIALS = 20
SYSTEMATIC = ('dpor', 'dfs')
SUITES = {'sctbench': 'CS and Chess of SCTBench, by ports of our own'}


def refuse(text):
    print(f'scoreboard: {text}', file=sys.stderr)
    sys.exit(2)


def number(value):
    return f'{value:,.0f}' if value == int(value) else f'{value:,.1f}'


class Figure:
    """What some trials came to: the schedules of each, or None where the bug was missed."""

    def __init__(self, schedules):
        self.trials = len(schedules)
        self.found = sum(each is not None for each in schedules)
        self.schedules = sorted(math.inf if each is None else each for each in schedules)

    @property
    def median(self):
        return statistics.median(self.schedules)

    @property
    def interval(self):
        """At least 95 % for the median, whatever the distribution: the ranks come from the binomial one. The whole
        range if there are too few trials for that."""
        rank, below = 0, 0.0
        while (below := below + math.comb(self.trials, rank) / 2**self.trials) <= 0.025:
            rank += 1
        rank = max(rank, 1)
        return self.schedules[rank - 1], self.schedules[-rank]

    def __str__(self):
        if self.trials == 1:
            return number(self.median) if self.found else 'missed'
        if not self.found:
            return 'missed'
        share = '' if self.found == self.trials else f' {self.found}/{self.trials}'
        if self.median == math.inf:
            return share.strip()
        low, high = self.interval
        return f'{number(self.median)} [{number(low)}, {"–" if high == math.inf else number(high)}]{share}'


def best_published(row):
    """The peer who found the bug most often, and of these in the fewest schedules; None if there is none."""
    figures = [(-found, median or math.inf, key) for key, (found, median) in row['published'].items() if key in PEERS]
    if not figures:
        return None
    missed, median, key = min(figures)
    return key, -missed, median


def is_behind(row):
    """Whether the first strategy finds the bug less often than the best published, or surely in more schedules."""
    best, ours = best_published(row), row['figures'][STRATEGIES[0]]
    if best is None:
        return ours.found < ours.trials
    return ours.found * PEER_TRIALS < best[1] * ours.trials or ours.interval[0] > best[2]


def verdict(row):
    if not any(figure.found for figure in row['figures'].values()):
        return 'missed'
    return 'found, behind' if is_behind(row) else 'found'


def is_lost(row):
    """Whether others find the bug, or say that it is there, and we miss it."""
    best = best_published(row)
    return verdict(row) == 'missed' and (best is None or best[1] > 0)


def published_cell(row):
    best = best_published(row)
    if best is None:
        return ''
    if best[1] == 0:
        return 'missed'
    share = '' if best[1] == PEER_TRIALS else f' {best[1]}/{PEER_TRIALS}'
    return f'{number(best[2])} {PEERS[best[0]]}{share}'


def markdown(head, rows):
    return '\n'.join(['| ' + ' | '.join(line) + ' |' for line in [head]] + ['|---' * len(head) + '|'] +
                     ['| ' + ' | '.join(line) + ' |' for line in rows])


def board(rows, strategies):
    head = ['program', 'threads', 'published, best', *strategies, 'verdict']
    return head, [[row['program'] + ('*' if row['remark'] else ''), str(row['threads']), published_cell(row),
                   *(str(row['figures'][each]) for each in strategies), verdict(row)] for row in rows]


def totals(rows, strategies):
    """Who found how many, in which share of the trials: ours in all programs, and everybody in those that all the
    peers have a figure of."""
    common = [row for row in rows if all(key in row['published'] for key in PEERS)]
    lines = []
    for each in strategies:
        figures = [row['figures'][each] for row in rows]
        shared = [row['figures'][each] for row in common]
        lines.append([f'`{each}`', f'{sum(f.found > 0 for f in figures)} of {len(rows)}',
                      f'{sum(f.found > 0 for f in shared)} of {len(common)}',
                      f'{sum(f.found / f.trials for f in shared):.1f}'])
    for key, name in PEERS.items():
        found = [row['published'][key][0] for row in common]
        lines.append([f'{name}, published', '', f'{sum(f > 0 for f in found)} of {len(common)}',
                      f'{sum(found) / PEER_TRIALS:.1f}'])
    return markdown(['', 'bugs found', 'of those that all have figures of', 'mean of a trial'], lines)


def misses(rows, strategies):
    """By reason: which strategies miss which programs in more than half of the trials."""
    found = {}
    for each in strategies:
        for row in rows:
            if 2 * row['figures'][each].found < row['figures'][each].trials:
                reason = next((why for ours, name, why in REASONS
                               if re.search(ours, each) and re.search(name, row['program'])), 'not understood yet')
                found.setdefault(reason, {}).setdefault(each, []).append(row['program'])
    lines = []
    for reason, by_strategy in found.items():
        same = {}
        for each, names in by_strategy.items():
            same.setdefault(', '.join(names), []).append(f'`{each}`')
        whom = '; '.join(f'{names} ({", ".join(who)})' for names, who in same.items())
        lines.append(f'- {whom}: {reason}.')
    return '\n'.join(lines) or 'None.'


def all_published(rows):
    def cell(key, row):
        if key not in row['published']:
            return ''
        found, median = row['published'][key]
        if key == 'maple':
            return number(median) if found else 'missed'
        if not found:
            return 'missed'
        return (number(median) if median else '') + ('' if found == PEER_TRIALS else f' {found}/{PEER_TRIALS}')
    keys = [*PEERS, 'maple']
    return markdown(['program', *PEERS.values(), 'Maple'],
                    [[row['program'], *(cell(key, row).strip() for key in keys)] for row in rows if row['published']])


def write_page(suite, rows, asked):
    """Puts what was measured between the marks of the suite, and leaves the rest of the page as it is."""
    head, lines = board(rows, asked.strategy)
    remarks = sorted({row['remark'] for row in rows if row['remark']})
    parts = {
        'board': markdown(head, lines) + ''.join(f'\n\n\\* {each}.' for each in remarks),
        'totals': totals(rows, asked.strategy),
        'misses': misses(rows, asked.strategy),
        'published': all_published(rows),
    }
    text = page.read_text()
    for name, part in parts.items():
        text, count = re.subn(f'(<!-- {suite} {name} -->\n).*?(<!-- end -->)',
                              lambda match, part=part: f'{match[1]}\n{part}\n\n{match[2]}', text, flags=re.DOTALL)
        assert count == 1, f'{page} has no place for {suite} {name}'
    page.write_text(text)


def plain(head, lines):
    widths = [max(len(line[i]) for line in [head, *lines]) for i in range(len(head))]
    for line in [head, *lines]:
        print('  '.join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


def play(program, strategy, asked):
    words = [player, 'play', program, strategy, str(asked.seed), str(asked.trials), str(asked.cap)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        refuse(done.stderr.strip() or f'{program} ended with {done.returncode}')
    return json.loads(done.stdout)


def measured(rows, asked):
    """Fills `figures` of each row; a failure that is not the program's bug is an error of the port."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = {(row['program'], each): pool.submit(play, row['program'], each, asked)
                   for row in rows for each in asked.strategy}
        for row in rows:
            row['figures'] = {}
            for each in asked.strategy:
                said = waiting[row['program'], each].result()
                strange = set(filter(None, said['kinds'].split(', '))) - set(row['kind'].split(', '))
                if strange:
                    refuse(f'{row["program"]} failed with {strange.pop()}, and its bug is {row["kind"]}')
                row['figures'][each] = Figure(said['schedules'])
    return rows


def arguments():
    parser = argparse.ArgumentParser(prog='scoreboard', allow_abbrev=False, add_help=False)
    parser.add_argument('suite', nargs='?', choices=SUITES, default='sctbench')
    parser.add_argument('--trials', type=int, default=20)
    parser.add_argument('--cap', type=int, default=10000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--only', default='')
    parser.add_argument('--strategy', action='append', choices=STRATEGIES)
    parser.add_argument('--list', action='store_true')
    asked = parser.parse_args()
    for name in ('trials', 'cap', 'seed'):
        if getattr(asked, name) < 1:
            parser.error(f'--{name} wants a number from 1 on')
    try:
        asked.only = re.compile(asked.only)
    except re.error as error:
        refuse(f'--only {asked.only!r} is no regular expression: {error}')
    asked.whole = not asked.strategy and not asked.only.pattern and (asked.trials, asked.cap, asked.seed) == (20, 10000, 1)
    asked.strategy = list(dict.fromkeys(asked.strategy or STRATEGIES))
    if STRATEGIES[0] not in asked.strategy:
        asked.strategy.insert(0, STRATEGIES[0])
    return asked


def main():
    asked = arguments()
    listed = subprocess.run([player, 'list'], capture_output=True, text=True, check=True).stdout
    rows = [row for row in map(json.loads, listed.splitlines()) if asked.only.search(row['program'])]
    if not rows:
        refuse(f'no program of {asked.suite} matches {asked.only.pattern!r}; --list names them')
    if asked.list:
        plain(['program', 'threads', 'bug', 'published, best'],
              [[row['program'], str(row['threads']), row['kind'], published_cell(row)] for row in rows])
        return
    rows = sorted(measured(rows, asked), key=lambda row: not is_behind(row))
    plain(*board(rows, asked.strategy))
    if asked.whole:
        write_page(asked.suite, rows, asked)
        print(f'wrote {page.relative_to(root)}')
    found = sum(verdict(row) != 'missed' for row in rows)
    print(f'{found} of {len(rows)} found, {sum(map(is_behind, rows))} behind what is published')
    sys.exit(1 if any(map(is_lost, rows)) else 0)


if __name__ == '__main__':
    main()
