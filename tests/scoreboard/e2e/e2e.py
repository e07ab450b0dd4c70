#!/usr/bin/env python3
"""Runs Kubernetes' own end-to-end tests of its API against `watchlab serve`, and counts what passes.
`./dev scoreboard --help` has the options."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[3]
here = pathlib.Path(__file__).resolve().parent
page = root / 'docs/scoreboard.md'
place = root / 'build/e2e'
watchlab = root / 'build/release/scenarios/cli/watchlab'
RELEASE = '1.37.2'

# Tests that cannot pass here: a pattern for their names, and why. They are not run: most would wait for minutes.
NEEDS_A_NODE = (
    ('AdmissionWebhook', 'a webhook in a pod'),
    ('CustomResourceConversionWebhook|CustomResourceFieldSelectors', 'a conversion webhook in a pod'),
    ('Aggregator|Aggregated APIServer|sample-apiserver', 'another API server in a pod'),
)
NOT_DONE = (
    ('AdmissionPolicy.*(should validate against|should allow expressions|should mutate)', 'CEL rules are not evaluated'),
)
# Files of slow tests, which mostly wait. Each gets its own server; all other tests share one.
SLOW = ('chunking.go', 'resource_quota.go', 'garbage_collector.go', 'crd_publish_openapi.go')
NODE = {'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': 'watchlab'}}
STATUS = {'status': {'allocatable': {'cpu': '8', 'memory': '32Gi', 'pods': '110'}, 'capacity': {'cpu': '8', 'pods': '110'},
                     'conditions': [{'type': 'Ready', 'status': 'True', 'reason': 'KubeletReady', 'message': 'BEAT'}]}}


def refuse(text):
    print(f'scoreboard e2e: {text}', file=sys.stderr)
    sys.exit(2)


def build():
    """Builds the program once, which takes minutes. Kubernetes' go.mod refers to folders of its repository, so ours
    names the published modules instead."""
    program = place / 'e2e'
    if program.exists() and program.stat().st_mtime > (here / 'main.go').stat().st_mtime:
        return program
    if not shutil.which('go'):
        refuse('there is no go')
    place.mkdir(parents=True, exist_ok=True)
    shutil.copy(here / 'main.go', place)
    if not (place / 'go.mod').exists():
        (place / 'go.mod').write_text('module watchlab/e2e\n')
    environment = {**os.environ, 'GOFLAGS': '-mod=mod ' + os.environ.get('GOFLAGS', '')}

    def run(*words):
        return subprocess.run(words, cwd=place, env=environment, check=True, capture_output=True, text=True).stdout
    try:
        theirs = pathlib.Path(json.loads(run('go', 'mod', 'download', '-json', f'k8s.io/kubernetes@v{RELEASE}'))['GoMod']).read_text()
        staged = re.findall(r'^\t(k8s\.io/\S+) => \./staging/', theirs, re.MULTILINE)
        lines = [f'\t{name} => {name} v0.{RELEASE.partition(".")[2]}\n' for name in staged]
        (place / 'go.mod').write_text(f'module watchlab/e2e\n\ngo {re.search("^go (.*)", theirs, re.MULTILINE)[1]}\n\n'
                                      f'require k8s.io/kubernetes v{RELEASE}\n\nreplace (\n{"".join(lines)})\n')
        run('go', 'mod', 'tidy')
        run('go', 'build', '-p', '2', '-trimpath', '-ldflags', '-s -w', '-o', 'e2e', '.')
    except subprocess.CalledProcessError as failure:
        refuse(f'go cannot get or build the tests of Kubernetes {RELEASE}: {failure.stderr.strip()[-400:]}')
    return program


def play(program, focus, skip, minutes, file):
    """Runs the tests of one file, or with None all but the slow ones. Returns their reports from Ginkgo."""
    name = file or 'others'
    report = place / f'{name}.json'
    report.unlink(missing_ok=True)
    post = 'curl -sf -o /dev/null -H "Content-Type: $1" -X "$2" -d "$3" "$WATCHLAB_URL/api/v1/nodes$4"'
    # A cluster is never quiet: its nodes send heartbeats every few seconds.
    script = f'''set -eu
send() {{ {post}; }}
send application/json POST '{json.dumps(NODE)}' ''
beat() {{ send application/merge-patch+json PATCH "${{1/BEAT/$(date +%s)}}" /watchlab/status; }}
beat '{json.dumps(STATUS)}'
while sleep 10; do beat '{json.dumps(STATUS)}' || exit; done &
exec "$@"'''
    tests = [program, f'--ginkgo.focus={focus}', f'--ginkgo.json-report={report}', f'--ginkgo.timeout={minutes}m', '--ginkgo.no-color',
             '--provider=skeleton', '--allowed-not-ready-nodes=-1', '--num-nodes=1', '--e2e-verify-service-account=false',
             '--dump-logs-on-failure=false', '--disable-log-dump']
    tests.append(f'--ginkgo.skip={"|".join([*(words for words, _ in NEEDS_A_NODE + NOT_DONE), *([skip] if skip else [])])}')
    tests += [f'--ginkgo.focus-file={file}'] if file else [f'--ginkgo.skip-file={each}' for each in SLOW]
    with (place / f'{name}.log').open('w') as log:
        subprocess.run([watchlab, 'serve', '--after', '200ms', '--', 'bash', '-c', script, 'e2e', *tests], cwd=place, stdout=log,
                       stderr=subprocess.STDOUT, check=False)
    if not report.exists():
        refuse(f'the tests did not run; see {place}/{name}.log')
    specs = [each for suite in json.loads(report.read_text()) for each in suite['SpecReports'] or [] if each['LeafNodeType'] == 'It']
    files = {id(each): pathlib.Path(each['LeafNodeLocation']['FileName']).name for each in specs}
    return [each for each in specs if (files[id(each)] == file if file else files[id(each)] not in SLOW)]


def read(specs, focus, skip):
    """A row for each selected test: its name, `passed`, `failed` or `needs a node`, and why."""
    rows = []
    for spec in specs:
        whole = ' '.join([*(spec['ContainerHierarchyTexts'] or []), spec['LeafNodeText']])
        if not re.search(focus, whole) or (skip and re.search(skip, whole)):
            continue
        name = re.sub(r' \[(Conformance|LinuxOnly|Serial|Slow|Privileged:ClusterAdmin)\]', '', whole)
        name = re.sub(r'^\[(sig-[^]]*)\] ', '', name).rstrip('.')
        need, other = (next((why for words, why in all if re.search(words, whole)), None) for all in (NEEDS_A_NODE, NOT_DONE))
        if need:
            rows.append((name, 'needs a node', need))
        elif other:
            rows.append((name, 'failed', other))
        elif spec['State'] == 'passed':
            rows.append((name, 'passed', ''))
        else:
            why = (spec.get('Failure') or {}).get('Message') or spec['State']
            rows.append((name, 'failed', ' '.join(why.split())[:160].replace('|', '\\|')))
    return sorted(rows, key=lambda row: (row[1], row[0]))


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument('--focus', default=r'\[sig-api-machinery\].*\[Conformance\]')
    parser.add_argument('--skip', default='')
    parser.add_argument('--minutes', type=int, default=60)
    asked = parser.parse_args()
    is_whole = len(sys.argv) == 1
    program = build()
    with concurrent.futures.ThreadPoolExecutor(len(SLOW) + 1) as pool:
        parts = pool.map(lambda file: play(program, asked.focus, asked.skip, asked.minutes, file), (*SLOW, None))
    rows = read([spec for part in parts for spec in part], asked.focus, asked.skip)
    count = {state: sum(row[1] == state for row in rows) for state in ('passed', 'failed', 'needs a node')}
    for name, state, why in rows:
        print(f'{state}: {name}{why and ": " + why}')
    fits = count['passed'] + count['failed']
    share = 100 * count['passed'] / max(fits, 1)
    summary = (f'{count["passed"]} of {fits} pass ({share:.0f} %), {count["failed"]} fail, '
               f'{count["needs a node"]} of {len(rows)} need a node')
    if is_whole:
        table = '\n'.join(['| test | result | why |', '|---|---|---|', *(f'| {" | ".join(row)} |' for row in rows)])
        text, found = re.subn('(<!-- e2e -->\n).*?(<!-- end -->)', lambda match: f'{match[1]}\n{summary}.\n\n{table}\n\n{match[2]}',
                              page.read_text(), flags=re.DOTALL)
        assert found == 1, f'{page} has no place for e2e'
        page.write_text(text)
    print(summary)
    sys.exit(0 if share >= 80 else 1)


main()
