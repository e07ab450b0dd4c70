// Plays stories of watchlab, and serves its fake Kubernetes API server to tests. docs/node.md says how.
'use strict';

const {AssertionError} = require('node:assert');
const {spawn} = require('node:child_process');
const fs = require('node:fs/promises');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const {command, program} = require('./program.js');

/** A story did not hold. The message is what `watchlab` printed, with the line that plays it again. */
class StoryFailed extends AssertionError {
  constructor(message) {
    super({message});
    this.name = 'StoryFailed';
  }
}

/** Resolves to what the program printed; rejects with StoryFailed, or with TypeError for bad input to `run`. */
function played(words) {
  return new Promise((resolve, reject) => {
    const [file, ...first] = command();
    const child = spawn(file, [...first, ...words], {stdio: ['ignore', 'pipe', 'pipe']});
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => said += text);
    child.on('error', reject);
    child.on('close', (status) => {
      if (status === 0) resolve(said);
      else reject(status === 2 && words[0] === 'run' ? new TypeError(said.trim()) : new StoryFailed(said.trim()));
    });
  });
}

/** Plays a story, a folder of them, or one that is shipped, by its name. */
const run = async (story, ...options) => played(['run', String(story), ...options]);

/** Serves a story in real time to `command`, a list of words, which finds the server by KUBECONFIG or WATCHLAB_URL. */
const serve = async (story, command, ...options) => played(['serve', String(story), ...options, '--', ...command]);

// What serve runs: says where the server is, and ends when the pipe that it reads has been closed. Only this process holds
// the other end, so that the server ends with it.
const COMMAND = ['sh', '-c', 'echo "serving $WATCHLAB_URL"; while read -r line; do :; done'];

/** A fake API server on loopback, until `close`. It ends with this process, however that ends. */
class Server {
  constructor(child, folder, url) {
    Object.defineProperties(this, {child_: {value: child}, folder_: {value: folder}});
    this.url = url;
    this.kubeconfig = path.join(folder, 'kubeconfig');
  }

  /** The variables by which programs find the server. */
  get environment() {
    return {KUBECONFIG: this.kubeconfig, WATCHLAB_URL: this.url};
  }

  /** Adds a fault, written as in a story, as text or as an object. */
  addFault(fault) {
    return this.ask_('faults', {method: 'POST', body: typeof fault === 'string' ? fault : JSON.stringify(fault)});
  }

  /** Ends the fault of that name or number, or all of them. */
  heal(name) {
    return this.ask_(name === undefined ? 'faults' : `faults/${encodeURIComponent(name)}`, {method: 'DELETE'});
  }

  /** The faults that are active, and how many messages each has touched. */
  async faults() {
    return (await this.ask_('faults')).items;
  }

  /** What clients asked and were answered, as {client: 'curl'}. */
  async exchanges(parameters) {
    return (await this.ask_('exchanges', {parameters})).items;
  }

  /** What the server holds, as {resource: 'configmaps'}. */
  async objects(parameters) {
    return (await this.ask_('objects', {parameters})).items;
  }

  /** Ends the server. */
  async close() {
    const ended = new Promise((resolve) => this.child_.once('close', resolve));
    this.child_.stdin.end();
    if (this.child_.exitCode === null && this.child_.signalCode === null) await ended;
    await fs.rm(this.folder_, {recursive: true, force: true});
  }

  async ask_(page, {method, body, parameters} = {}) {
    const query = parameters ? `?${new URLSearchParams(parameters)}` : '';
    const headers = body === undefined ? {} : {'Content-Type': 'application/yaml'};
    const answer = await fetch(`${this.url}/watchlab/v1/${page}${query}`, {method, body, headers});
    const said = await answer.json();
    if (!answer.ok) throw new TypeError(said.message);
    return said;
  }
}

/**
 * Starts a server with these faults. With the context of a test of `node:test` it ends with that test; without, call
 * `close`. `options` are further words for `watchlab serve`.
 */
async function server(test, {faults = [], options = []} = {}) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'watchlab-'));
  const words = ['serve', '--kubeconfig', path.join(folder, 'kubeconfig'), ...options, '--', ...COMMAND];
  const child = spawn(program(), words, {stdio: ['pipe', 'pipe', 'pipe']});
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => said += text);
  const url = await new Promise((resolve, reject) => {
    readline.createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('serving ')) resolve(line.split(' ')[1]);
    });
    child.on('error', reject);
    child.on('close', () => reject(new Error(said.trim())));
  }).catch(async (why) => {
    await fs.rm(folder, {recursive: true, force: true});
    throw why;
  });
  const made = new Server(child, folder, url);
  if (test) test.after(() => made.close());
  try {
    for (const fault of faults) await made.addFault(fault);
  } catch (refused) {
    if (!test) await made.close();
    throw refused;
  }
  return made;
}

module.exports = {StoryFailed, program, run, serve, server};
