#!/usr/bin/env python3
"""Measures how many schedules `explore` needs for bugs that Sieve found, and checks that the fixed operators hold.
`./dev scoreboard --help` has the options."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

from board import Figure, markdown, page, plain, refuse, root

watchlab = os.environ.get('WATCHLAB') or root / 'build/release/scenarios/cli/watchlab'
build = root / 'build/scoreboard'
stories = root / 'docs/go/sieve'
replicaset = root / 'tests/scoreboard/replicaset'

# For each operator, the test plans that Sieve made and the machine hours that they took: table 5 of the paper.
OPERATORS = {'cass_operator': (218, 44.27), 'cassandra': (81, 11.21), 'casskop': (125, 12.97), 'mongodb': (584, 67.24),
             'nifikop': (239, 42.78), 'rabbitmq': (133, 11.07), 'xtradb': (395, 64.36), 'yugabyte': (196, 18.05),
             'zookeeper': (164, 14.08)}
TRIGGERS = (
    ('half done', 'cass_operator_1023 mongodb_578 mongodb_579 xtradb_896 xtradb_897 rabbitmq_782 casskop_370 nifikop_49'),
    ('never seen', 'cassandra_398'),
    ('indirect', 'cassandra_410'),
)
# Kubernetes' own controller, in a release with the bug and in one that waits for its cache.
KUBERNETES = {'published': '1.35.4', 'mended': '1.37.2'}
# Trials, cap, schedules of the fixed operator, and first seed for the figures in docs/scoreboard.md.
STANDARD = (5, 200, 20, 1)
# How often a search that diverges is repeated: on a busy machine the kernel may delay a program so long that another
# of its goroutines goes first.
AGAIN = 5


def trigger(bug):
    return next((name for name, bugs in TRIGGERS if bug in bugs.split()), 'stale')


def published(bug):
    operator = bug.rsplit('_', 1)[0]
    return '{} plans, {:.1f} h'.format(*OPERATORS[operator]) if operator in OPERATORS else ''


def source(story):
    return re.search(r'^# (https://\S+)', story.read_text(), re.MULTILINE)[1]


def environment(**more):
    return {**os.environ, 'WATCHLAB_ALLOW_RUN': '1', 'GOFLAGS': f'-overlay={build}/overlay/overlay.json -buildvcs=false', **more}


def made(words, folder, env=None):
    """Runs a build command and returns whether it succeeded. The command prints why it did not."""
    return subprocess.run(words, cwd=folder, env=env, check=False).returncode == 0


def operators_program():
    program = build / 'sieve.test'
    if not made(['go', 'run', './overlay', '-o', build / 'overlay'], root / 'scenarios/go'):
        refuse('there is no overlay for this Go')
    if not made(['go', 'test', '-c', '-o', program, './sieve'], stories.parent, environment()):
        refuse('the operators of docs/go/sieve cannot be built')
    return program


def replicaset_program(release):
    """Kubernetes' own controller of that release. A program that imports its module must replace the folders beside it
    with published modules, so go.mod is written here."""
    folder = build / f'kubernetes-{release}'
    folder.mkdir(parents=True, exist_ok=True)
    said = subprocess.run(['go', 'mod', 'download', '-json', f'k8s.io/kubernetes@v{release}'], capture_output=True, text=True,
                          check=False).stdout
    if not said or 'GoMod' not in json.loads(said):
        return None
    theirs = pathlib.Path(json.loads(said)['GoMod']).read_text()
    staged = re.findall(r'^\t(k8s\.io/\S+) => \./staging/', theirs, re.MULTILINE)
    replaces = [f'{each} => {each} v0.{release.split(".", 1)[1]}' for each in staged]
    replaces.append(f'example.org/watchlab => {root}/scenarios/go')
    (folder / 'go.mod').write_text('module watchlab/replicaset\n\ngo 1.26.0\n\nrequire (\n\tk8s.io/kubernetes v' + release +
                                   '\n\texample.org/watchlab v0.0.0\n)\n\nreplace (\n\t' + '\n\t'.join(replaces) + '\n)\n')
    (folder / 'doc.go').write_text('package replicaset\n')
    (folder / 'replicaset_test.go').write_text((replicaset / 'replicaset_test.go').read_text())
    tidy = made(['go', 'mod', 'tidy'], folder, {**os.environ, 'GOFLAGS': '-mod=mod'})
    program = folder / 'replicaset.test'
    env = environment()
    env['GOFLAGS'] += ' -mod=mod'
    return program if tidy and made(['go', 'test', '-c', '-o', program, '.'], folder, env) else None


class Search:
    """The result of one exploration: when it failed, in schedules and seconds; `schedules` is None if it did not."""

    def __init__(self, kind, played, seconds):
        self.kind, self.played, self.seconds = kind, played, seconds
        self.schedules = played if kind else None
        self.diverged = kind == 'divergence'


def failure_in(saved):
    """The failure that explore has saved; None if there is none."""
    try:
        body = json.loads(json.loads(saved.read_text().splitlines()[0])['body'])
    except (OSError, ValueError, IndexError):  # it is being written
        return None
    job = body['jobs'][0]
    return Search(job['failures'][0]['kind'], job['executions'], body['seconds']) if job.get('failures') else None


def search(story, env, seed, most):
    """Explores until the first failure and stops there: the report on a failure takes longer than the search."""
    with tempfile.TemporaryDirectory() as state:
        words = [watchlab, 'explore', story, '--json', '--seed', str(seed), '--schedules', str(most)]
        with subprocess.Popen(words, env={**env, 'XDG_STATE_HOME': state}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True) as process:
            while process.poll() is None:
                for saved in pathlib.Path(state).rglob('*.resume'):
                    if found := failure_in(saved):
                        process.kill()
                        return found
                time.sleep(0.05)
            said = [json.loads(line) for line in process.stdout if line.startswith('{')]
    if not said or said[-1].get('kind') == 'input':
        refuse(f'{story} cannot be played')
    return Search(said[-1].get('kind', ''), said[-1]['executions'], said[-1]['seconds'])


def explore(story, program, test, seed, most, **more):
    """A search. One that diverges is repeated from its start."""
    env = environment(WATCHLAB_GO_PROGRAM=json.dumps([str(program), '-test.run', test]), **more)
    for _ in range(AGAIN):
        found = search(story, env, seed, most)
        if not found.diverged:
            break
    return found


def measure(bug, programs, asked):
    """A row: the searches for the bug, and one with the fixed operator, which should find nothing."""
    if bug == 'kubernetes_129795':
        story, test = replicaset / f'{bug}.yaml', 'TestReplicaSet'
    else:
        story, test = stories / f'{bug}.yaml', f'TestOperators/{bug}$'
    searches = [explore(story, programs['published'], test, seed, asked.cap)
                for seed in range(asked.seed, asked.seed + asked.trials)]
    mended = explore(story, programs['mended'], test, asked.seed, asked.held, MENDED='yes')
    row = {'bug': bug, 'source': source(story), 'searches': searches, 'mended': mended,
           'figure': Figure([None if each.diverged else each.schedules for each in searches])}
    print(f'{bug}: {row["figure"]}, {verdict(row)}', flush=True)
    return row


def verdict(row):
    if any(each.diverged for each in row['searches']) or row['mended'].diverged:
        return 'diverged'
    if row['mended'].schedules is not None:
        return 'the fixed one fails too'
    return 'found' if 2 * row['figure'].found >= row['figure'].trials else 'missed'


def cells(row):
    mended = row['mended']
    holds = f'{mended.played}' if mended.schedules is None else f'fails in {mended.schedules}'
    return [f'[{row["bug"]}]({row["source"]})', trigger(row['bug']), published(row['bug']), str(row['figure']),
            f'{statistics.median(each.seconds for each in row["searches"]):.1f}', holds, verdict(row)]


HEAD = ['bug', 'state', 'Sieve, the whole operator', 'schedules', 'seconds', 'fixed: held', 'verdict']


def write_page(rows):
    """Replaces the rows of these bugs and keeps the others. Misses come first."""
    before, old, after = re.split(r'(?<=<!-- sieve board -->\n)(.*?)(?=<!-- end -->)', page.read_text(), maxsplit=1, flags=re.DOTALL)
    lines = {line.split(']')[0]: line for line in old.splitlines() if line.startswith('| [')}
    lines |= {f'| [{row["bug"]}': '| ' + ' | '.join(cells(row)) + ' |' for row in rows}
    ordered = sorted(lines.values(), key=lambda line: (line.endswith('| found |'), line))
    page.write_text('\n'.join([before, markdown(HEAD, []), *ordered, '', after]))


def arguments():
    parser = argparse.ArgumentParser(prog='scoreboard sieve', allow_abbrev=False, add_help=False)
    for name, standard in zip(('trials', 'cap', 'held', 'seed'), STANDARD):
        parser.add_argument(f'--{name}', type=int, default=standard)
    parser.add_argument('--only', default='')
    parser.add_argument('--list', action='store_true')
    asked = parser.parse_args()
    for name in ('trials', 'cap', 'held', 'seed'):
        if getattr(asked, name) < 1:
            parser.error(f'--{name} must be at least 1')
    return asked


def main():
    asked = arguments()
    bugs = [*sorted(each.stem for each in stories.glob('*.yaml')), 'kubernetes_129795']
    try:
        bugs = [bug for bug in bugs if re.search(asked.only, bug)]
    except re.error as error:
        refuse(f'--only {asked.only!r} is not a regular expression: {error}')
    if not bugs:
        refuse(f'no bug matches {asked.only!r}; --list names them')
    if asked.list:
        plain(['bug', 'state', 'Sieve, the whole operator'], [[bug, trigger(bug), published(bug)] for bug in bugs])
        return
    program = operators_program()
    programs = {bug: {'published': program, 'mended': program} for bug in bugs}
    if 'kubernetes_129795' in bugs:
        both = {name: replicaset_program(release) for name, release in KUBERNETES.items()}
        if None in both.values():
            print('skipped kubernetes_129795: its Go modules cannot be downloaded')
            bugs.remove('kubernetes_129795')
        programs['kubernetes_129795'] = both
    rows = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for row in pool.map(lambda bug: measure(bug, programs[bug], asked), bugs):
            rows.append(row)
            if (asked.trials, asked.cap, asked.held, asked.seed) == STANDARD:
                write_page([row])
    rows.sort(key=lambda row: verdict(row) == 'found')
    plain(HEAD, [cells(row) for row in rows])
    print(f'{sum(verdict(row) == "found" for row in rows)} of {len(rows)} found')
    sys.exit(0 if all(verdict(row) == 'found' for row in rows) else 1)


if __name__ == '__main__':
    main()
