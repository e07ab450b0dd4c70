// Tests of docs/node.md: a client that must list again after an error, and a story.
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const {run, server} = require('watchlab');

/** The client under test: lists ConfigMaps, and tries a second time when the server fails. */
async function namesOfConfigMaps(url) {
  let answer;
  for (let tries = 0; tries < 2; ++tries) {
    answer = await fetch(`${url}/api/v1/namespaces/default/configmaps`);
    if (answer.ok) return (await answer.json()).items.map((each) => each.metadata.name);
  }
  throw new Error(`the server answers ${answer.status}`);
}

test('lists again after an error', async (t) => {
  const fake = await server(t, {faults: [{fail_list: {answer: 'internal', times: 1}}]});
  assert.deepEqual(await namesOfConfigMaps(fake.url), []);
  assert.deepEqual((await fake.exchanges()).map((each) => each.code), [500, 200]);
});

test('gives up after two errors', async (t) => {
  const fake = await server(t, {faults: ['{fail_list: {answer: internal, times: 2}}']});
  await assert.rejects(namesOfConfigMaps(fake.url), /answers 500/);
  await fake.heal();
  assert.deepEqual(await namesOfConfigMaps(fake.url), []);
});

test('a story holds', async () => {
  assert.match(await run('missed_delete'), /missed_delete/);
});
