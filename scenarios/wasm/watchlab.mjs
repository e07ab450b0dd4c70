// The command line of watchlab as a function, in a Worker of a browser and in Node: each call is a process of its own.
//
//   const lab = await loadWatchlab();
//   const { status, stdout, files } = await lab.run(['run', 'story.yaml'], { files: { 'story.yaml': text } });
//
// A finding here is the finding of the program: the same digest, schedule and text. What takes sockets, processes or
// Graphviz ends with status 2 and a sentence. It needs WebAssembly.Suspending (JSPI): Chromium 137, Node 25, or newer.
import createModule from './watchlab-module.mjs';

const here = (name) => new URL(name, import.meta.url);
const isNode = globalThis.process?.versions?.node !== undefined;

async function bytesOf(place) {
  if (typeof place !== 'string' && !(place instanceof URL)) {
    return place;
  }
  const url = new URL(place, import.meta.url);
  if (isNode && url.protocol === 'file:') {
    return (await import('node:fs/promises')).readFile(url);
  }
  const answer = await fetch(url);
  if (!answer.ok) {
    throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  }
  return answer.arrayBuffer();
}

// Where the program looks for what it was shipped with, as an installed one does, and where a call begins.
const kShipped = '/usr/share/watchlab/scenarios';
const kFolder = '/work';
const kHome = '/user';

// Makes what comes byte by byte to text, in as few pieces as lines end or begin anew.
function textOf(then) {
  const decoder = new TextDecoder();
  let bytes = [];
  let all = '';
  const pass = () => {
    const text = decoder.decode(Uint8Array.from(bytes), { stream: true });
    bytes = [];
    all += text;
    if (text !== '') {
      then?.(text);
    }
  };
  return {
    put(byte) {
      bytes.push(byte);
      if (byte === 10 || byte === 13 || bytes.length === 65536) {
        pass();
      }
    },
    end() {
      pass();
      return all;
    },
  };
}

// A function for the next byte of what `stdin` is or returns, which is asked for once, at the first byte.
function bytesOfInput(stdin) {
  let bytes;
  let at = 0;
  return () => {
    bytes ??= new TextEncoder().encode(typeof stdin === 'function' ? stdin() : stdin);
    return at < bytes.length ? bytes[at++] : null;
  };
}

function writeFiles(FS, folder, files) {
  for (const [name, content] of Object.entries(files)) {
    const path = name.startsWith('/') ? name : `${folder}/${name}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf('/')) || '/');
    FS.writeFile(path, content);
  }
}

// Every file below a folder, as bytes.
function filesBelow(FS, folder, found = new Map()) {
  for (const name of FS.readdir(folder)) {
    const path = `${folder}/${name}`;
    if (name === '.' || name === '..') {
      continue;
    }
    const { mode } = FS.lstat(path);
    if (FS.isDir(mode)) {
      filesBelow(FS, path, found);
    } else if (FS.isFile(mode)) {
      found.set(path, FS.readFile(path));
    }
  }
  return found;
}

const same = (a, b) => a !== undefined && a.length === b.length && a.every((byte, i) => byte === b[i]);

function asText(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}

// Puts the folders of this machine at their places.
function mountMachine({ FS, NODEFS }, fs) {
  for (const name of fs.readdirSync('/')) {
    if (!['dev', 'proc', 'sys'].includes(name) && fs.statSync(`/${name}`, { throwIfNoEntry: false })?.isDirectory()) {
      FS.mkdirTree(`/${name}`);
      FS.mount(NODEFS, { root: `/${name}` }, `/${name}`);
    }
  }
}

async function callMain(lab, words) {
  const all = ['watchlab', ...words];
  const argv = lab._malloc(4 * (all.length + 1));
  all.forEach((word, i) => lab.setValue(argv + 4 * i, lab.stringToNewUTF8(word), '*'));
  lab.setValue(argv + 4 * all.length, 0, '*');
  const status = await lab._main(all.length, argv);
  lab._fflush(0);
  return status;
}

// `wasm` and `stories` are addresses or contents: the module, and the shipped stories as an object of texts by path.
export async function loadWatchlab({ wasm = here('watchlab.wasm'), stories = here('stories.json') } = {}) {
  if (WebAssembly.Suspending === undefined) {
    throw new Error('this engine cannot suspend WebAssembly (JSPI), which watchlab needs: Chromium 137, Node 25, or newer');
  }
  const isPlaced = (what) => typeof what === 'string' || what instanceof URL || ArrayBuffer.isView(what) || what instanceof ArrayBuffer;
  const [module, shipped] = await Promise.all([
    wasm instanceof WebAssembly.Module ? wasm : bytesOf(wasm).then((bytes) => WebAssembly.compile(bytes)),
    isPlaced(stories) ? bytesOf(stories).then((bytes) => JSON.parse(new TextDecoder().decode(bytes))) : stories,
  ]);
  const kept = new Map();  // what one call leaves at home for the next: the last failures

  // Calls the program with these words. `files` are there when it begins: names in its folder, texts or bytes. With
  // `onStderr` standard error is a terminal, on which progress is shown, unless `terminal` is false. With `machine`, in
  // Node, the files are those of this machine, it begins in the present folder, and `env` is all of its environment.
  async function run(words, { files = {}, env = {}, stdin = '', onStdout, onStderr, terminal = onStderr !== undefined, machine = false } = {}) {
    const fs = machine ? await import('node:fs') : undefined;
    const out = textOf(onStdout);
    const err = textOf(onStderr);
    let failed;
    const failure = new Promise((_, reject) => { failed = reject; });
    failure.catch(() => {});
    const lab = await createModule({
      instantiateWasm: (imports, then) => {
        WebAssembly.instantiate(module, imports).then((instance) => then(instance, module), failed);
        return {};
      },
      onFiberFailure: failed,
      onAbort: (why) => failed(new Error(why)),
      preRun: [(lab) => {
        const { FS, ENV } = lab;
        FS.init(bytesOfInput(stdin), (byte) => out.put(byte), (byte) => err.put(byte));
        if (terminal) {
          FS.getStream(2).tty = { ops: {} };
        }
        Object.assign(ENV, machine ? {} : { HOME: kHome, TERM: 'xterm', NO_COLOR: '1' }, env);
        if (machine) {
          mountMachine(lab, fs);
          FS.chdir(process.cwd());
        } else {
          FS.mkdirTree(kFolder);
          FS.mkdirTree(kHome);
          FS.chdir(kFolder);
          writeFiles(FS, '/', Object.fromEntries(kept));
        }
        if (!FS.analyzePath(kShipped).exists) {
          writeFiles(FS, kShipped, shipped);
        }
        FS.symlink('/usr/bin/watchlab', '/proc/self/exe');
        writeFiles(FS, machine ? process.cwd() : kFolder, files);
      }],
    });
    const before = machine ? new Map() : filesBelow(lab.FS, kFolder);
    const status = await Promise.race([failure, callMain(lab, words)]).catch((error) => {
      if (Number.isInteger(error?.status)) {  // the program has called exit
        return error.status;
      }
      for (const byte of new TextEncoder().encode(`watchlab: ended by ${error?.message ?? error}\n`)) {
        err.put(byte);
      }
      return 134;
    });
    lab.endFibers();
    const changed = {};
    if (!machine) {
      for (const [path, bytes] of filesBelow(lab.FS, kFolder)) {
        if (!same(before.get(path), bytes)) {
          changed[path.slice(kFolder.length + 1)] = asText(bytes);
        }
      }
      for (const [path, bytes] of filesBelow(lab.FS, kHome)) {
        kept.set(path, bytes);
      }
    }
    return { status, stdout: out.end(), stderr: err.end(), files: changed };
  }

  return { run };
}
