// Calls the module of the npm packages as npm.sh has installed it, in a folder with broken.yaml and outside.yaml.
'use strict';

const assert = require('node:assert/strict');
const {execFile, spawn} = require('node:child_process');
const fs = require('node:fs');
const test = require('node:test');
const {promisify} = require('node:util');
const {StoryFailed, run, serve, server} = require('watchlab');

const CREATES = 'fetch(process.env.WATCHLAB_URL + "/api/v1/namespaces/default/configmaps")';

test('run says what is wrong', async () => {
  await assert.rejects(run('broken.yaml'), (failed) => failed instanceof StoryFailed && /broken.yaml/.test(failed.message));
  await assert.rejects(run('mised_delete'), (refused) => refused instanceof TypeError && /missed_delete/.test(refused.message));
});

test('serve plays a story against a program', async () => {
  await serve('outside.yaml', ['node', '-e', CREATES]);
  await assert.rejects(serve('outside.yaml', ['sh', '-c', 'exit 3']), /status 3/);
});

test('a server says what is wrong, and is closed', async () => {
  await assert.rejects(server(null, {options: ['--listen', 'nowhere']}), /ADDRESS:PORT/);
  const fake = await server();
  await assert.rejects(fake.addFault('cut_wach'), /cut_watch/);
  assert.ok(fs.existsSync(fake.kubeconfig));
  await fake.close();
  assert.ok(!fs.existsSync(fake.kubeconfig));
  await assert.rejects(fetch(fake.url));
});

test('a server ends with the program that started it', async () => {
  const leaves = spawn('node', ['-e', 'require("watchlab").server().then((s) => { console.log(s.url); setInterval(() => {}, 1e6); })'],
      {stdio: ['ignore', 'pipe', 'inherit']});
  const url = await new Promise((resolve) => leaves.stdout.once('data', (text) => resolve(String(text).trim())));
  await fetch(url + '/healthz');
  leaves.kill('SIGKILL');
  await (async function gone() {
    for (;;) await fetch(url + '/healthz');
  })().catch(() => {});
});

test('the command ends as the program does', async () => {
  const call = promisify(execFile);
  assert.match((await call('npx', ['--no-install', 'watchlab', 'run', 'missed_delete'])).stdout, /missed_delete/);
  await assert.rejects(call('npx', ['--no-install', 'watchlab', 'run', 'broken.yaml']), (failed) => failed.code === 1);
  await assert.rejects(call('npx', ['--no-install', 'watchlab', 'rnu']), (failed) => failed.code === 2);
  fs.writeFileSync('old.js', 'process.report.getReport = () => ({header: {glibcVersionRuntime: "2.31"}})');
  await assert.rejects(call('node', ['-r', './old.js', 'node_modules/watchlab/bin.js', 'run', 'broken.yaml']), /glibc 2.31, .* needs 2.36/);
});
