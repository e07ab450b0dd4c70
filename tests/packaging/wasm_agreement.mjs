#!/usr/bin/env node
// wasm_agreement.mjs MODULE_FOLDER PROGRAM ROOT [--long]: whether the module of WebAssembly prints and writes what the
// program does, called in the same way in folder ROOT. What depends on the time of day is left out of the comparison.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, program, root, length] = process.argv.slice(2);
const { loadWatchlab } = await import(pathToFileURL(path.resolve(folder, 'watchlab.mjs')));
const lab = await loadWatchlab();
process.chdir(root);

// What is made late is never there initially.
const kBroken = `apiVersion: watchlab/v1
name: broken
story: Two stores are filled at one moment, in either order.
clients:
  - {name: first, kind: informer}
  - {name: second, kind: informer}
script:
  - create: demo
  - when: {synced: first}
    create: late
expect: [{of: second, handler: {exactly: [{add: {name: demo, initial: true}}, {add: {name: late, initial: true}}]}}]
`;
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'watchlab-agreement-'));
process.on('exit', () => fs.rmSync(place, { recursive: true, force: true }));

// Each side has a home of its own, in which last failures are kept, and a place to write to, of the same name.
const sides = ['program', 'module'];
const home = Object.fromEntries(sides.map((side) => [side, path.join(place, side)]));
const written = path.join(place, 'written');
sides.forEach((side) => fs.mkdirSync(home[side]));
fs.writeFileSync(path.join(place, 'broken.yaml'), kBroken);
const broken = path.join(place, 'broken.yaml');

const environment = (side) => ({
  PATH: process.env.PATH, HOME: home[side], WATCHLAB_HOME: root, WATCHLAB_CALLED_AS: './watchlab', TZ: 'UTC', LC_ALL: 'C.UTF-8',
});

// With a bug in core the program is called by what builds such libraries for it.
const called = {
  program: (words, variant) => {
    const [file, all] = variant ? ['python3', ['tests/variants/play.py', ...words, '--variant', variant]] : [program, words];
    const { status, stdout, stderr } = spawnSync(file, all, { env: environment('program'), encoding: 'utf8', maxBuffer: 2 ** 30 });
    return { status, stdout, stderr };
  },
  module: async (words, variant) => {
    const patch = path.resolve(`scenarios/museum/${variant}/defect.patch`);
    const env = { ...environment('module'), ...variant ? { WATCHLAB_VARIANT: variant, WATCHLAB_VARIANT_PATCH: patch } : {} };
    const { status, stdout, stderr } = await lab.run(words, { machine: true, variant, env });
    return { status, stdout, stderr };
  },
};

const withoutTimes = (text, side) => text.replaceAll(home[side], 'HOME')
  .replace(/\d+(\.\d+)? a second/g, 'N a second').replace(/in \d+\.\d+ ?s\b/g, 'in N s')
  .replace(/"(seconds|schedules_per_second)":[^,}]*/g, '"$1":N').replace(/"checksum":"[0-9a-f]*"/g, '"checksum":N');

async function outcome(side, words, variant) {
  fs.rmSync(written, { recursive: true, force: true });
  fs.mkdirSync(written);
  const answer = await called[side](words, variant);
  const files = fs.readdirSync(written).sort().map((name) => `== ${name}\n${fs.readFileSync(path.join(written, name), 'utf8')}`);
  return withoutTimes([`status ${answer.status}`, answer.stdout, '== standard error', answer.stderr, ...files].join('\n'), side);
}

let passed = 0;
let failed = 0;

const compare = (...words) => compareWith('', words);

async function compareWith(variant, words) {
  const [expected, found] = [await outcome('program', words, variant), await outcome('module', words, variant)].map((text) => text.split('\n'));
  const at = found.findIndex((line, i) => line !== expected[i]);
  const differs = at >= 0 || expected.length !== found.length;
  differs ? ++failed : ++passed;
  if (differs) {
    const i = at >= 0 ? at : found.length;
    const call = `${variant && `${variant}: `}${words.join(' ')}`;
    console.log(`FAIL  ${call}: line ${i + 1} is\n  ${(found[i] ?? '(no more)').slice(0, 400)}\nand of the program\n  ${(expected[i] ?? '(no more)').slice(0, 400)}`);
  }
  return expected;
}

const started = performance.now();
const digests = await compare('digest', 'scenarios');
const stories = digests.map((line) => /^[0-9a-f]{16} +(\S+)$/.exec(line)?.[1]).filter((name) => name !== undefined);
console.log(`${stories.length} digests compared, ${Math.round((performance.now() - started) / 1000)} s`);
if (stories.length < 100) {
  console.log('FAIL  these are too few');
  ++failed;
}

const sample = length === '--long' ? stories : stories.filter((_, i) => i % 12 === 3);
for (const story of sample) {
  await compare('run', story);
  await compare('explore', story, '--json', '--schedules', '100', '--seed', '7');
  await compare('explore', story, '--strategy', 'random', '--schedules', '30', '--seed', '99');
  await compare('report', story, '-o', path.join(written, 'page.html'));
  await compare('report', story, '-o', path.join(written, 'data.json'));
  await compare('trace', story);
}
// One that fails, from the search to the page.
for (const strategy of ['random', 'pct', 'pos', 'dfs', 'dpor']) {
  await compare('explore', broken, '--strategy', strategy, '--schedules', '400', '--json');
}
await compare('shrink', broken);
await compare('explain', broken);
await compare('report', broken, '-o', path.join(written, 'page.html'));
await compare('branch', broken, '--take', '3=1');
await compare('fuzz', '--seeds', '1..20');
await compare('validate', broken);
await compare('museum', 'list');
await compare('run', 'no_such_story');
await compare('schema');

// Levels, and bugs in core: of those variants that are built.
const fieldOf = (file, name) => new RegExp(`^${name}: (\\S+)`, 'm').exec(fs.readFileSync(file, 'utf8'))?.[1] ?? '';
for (const variant of lab.variants) {
  called.program(['list'], variant);  // builds its libraries, and says so
  const piece = `scenarios/museum/${variant}`;
  await compareWith(variant, ['replay', `${piece}/scenario.yaml`, '--schedule', `@${piece}/schedule.txt`, '--json']);
  await compareWith(variant, ['explore', `${piece}/scenario.yaml`, '--strategy', 'random', '--schedules', '50', '--seed', '5', '--json']);
}
let [levels, won] = [0, 0];
for (const file of fs.readdirSync('exercises/break-it').filter((name) => name.endsWith('.yaml'))) {
  const [level, variant, story] = [file.slice(0, -5), ...['variant', 'scenario'].map((name) => fieldOf(`exercises/break-it/${file}`, name))];
  if (variant === '' || lab.variants.includes(variant)) {
    ++levels;
    const page = ['-o', path.join(written, 'page.html')];
    await compareWith(variant, ['branch', level, '--json', ...page]);
    await compareWith(variant, ['branch', level, '--take', '1=1']);
    const schedule = `scenarios/museum/${story}/schedule.txt`;
    if (fs.existsSync(schedule)) {
      const lines = await compareWith(variant, ['branch', level, '--schedule', `@${schedule}`, '--json', ...page]);
      won += lines.filter((line) => line.includes('"won":true')).length;
    }
  }
}
console.log(`${levels} levels compared, ${won} of them won, ${lab.variants.length} variants`);
if (won === 0) {
  console.log('FAIL  no level is won');
  ++failed;
}
await compare('branch', 'missed_delete');

// What a module cannot have, it refuses with one sentence.
for (const words of [['serve'], ['serve-report', 'missed_delete'], ['fault', 'list', '--server', 'http://127.0.0.1:1'], ['mcp'],
  ['draw', broken, '--view', 'waits', '--schedule', 'default', '-o', path.join(written, 'picture.svg')], ['run', broken, broken, '--jobs', '2']]) {
  const { status, stderr } = await called.module(words);
  const is_refused = status === 2 && stderr.trim().split('\n').length === 1;
  is_refused ? ++passed : ++failed;
  if (!is_refused) {
    console.log(`FAIL  ${words.join(' ')} ends with ${status} and says\n${stderr}`);
  }
}
console.log(`module and program: ${passed} calls alike, ${failed} not, ${Math.round((performance.now() - started) / 1000)} s`);
process.exit(failed > 0 ? 1 : 0);
