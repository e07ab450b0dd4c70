// The command line of watchlab as a function, in a Worker of a browser and in Node: each call is a process of its own.
//
//   const lab = await loadWatchlab();
//   const { status, stdout, files } = await lab.run(['run', 'story.yaml'], { files: { 'story.yaml': text } });
//
// A finding here is the finding of the program: the same digest, schedule and text. What takes sockets, processes or
// Graphviz ends with status 2 and a sentence. It needs WebAssembly.Suspending (JSPI): Chromium 137, Firefox 153, Node 25, or newer.
const here = (name) => new URL(name, import.meta.url);
const isNode = globalThis.process?.versions?.node !== undefined;

// The bytes at a place; `onLoad` gets how many are there, and of how many, or 0.
async function bytesOf(place, onLoad) {
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
  if (!onLoad) {
    return answer.arrayBuffer();
  }
  const parts = [];
  let [loaded, all] = [0, Number(answer.headers.get('content-length'))];
  for await (const part of answer.body) {
    parts.push(part);
    onLoad(loaded += part.length, all);
  }
  return new Blob(parts).arrayBuffer();
}

// Where the program looks for what it was shipped with, as an installed one does, and where a call begins.
const kShipped = '/usr/share/watchlab';
const kFolder = '/work';
const kHome = '/user';

// What a call may be one of: where each lies in its machine. The course is a bundle of a student's, see course.py, and
// calls the other one to play.
const kPrograms = { watchlab: '/usr/bin/watchlab', 'watchlab-course': '/course/bin/watchlab-course' };
const kCourse = '/course';

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

const jsonIn = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
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

async function callMain(lab, program, words) {
  const all = [program, ...words];
  const argv = lab._malloc(4 * (all.length + 1));
  all.forEach((word, i) => lab.setValue(argv + 4 * i, lab.stringToNewUTF8(word), '*'));
  lab.setValue(argv + 4 * all.length, 0, '*');
  const status = await lab._main(all.length, argv);
  lab._fflush(0);
  return status;
}

// What a variant changes of the plain module, see variants.py: pairs of how many bytes are new, which follow, and how many are
// then taken from where in the module.
function patched(module, changes) {
  const parts = [];
  let at = 0;
  const number = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = changes[at++];
      value += (byte % 128) * scale;
      if (byte < 128) {
        return value;
      }
    }
  };
  while (at < changes.length) {
    const fresh = number();
    parts.push(changes.subarray(at, at += fresh));
    const [length, from] = [number(), number()];
    parts.push(module.subarray(from, from + length));
  }
  return new Blob(parts).arrayBuffer();
}

// What the course starts: its player, with words for `env` before it. Libraries stand for the variant that they name.
function playerCall(FS, words) {
  const isProgram = (word, i) => i > 0 ? !word.includes('=') : word !== '/usr/bin/env';
  const at = words.findIndex(isProgram);
  const env = Object.fromEntries(words.slice(1, Math.max(1, at)).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
  const [folder] = (env.LD_LIBRARY_PATH ?? '').split(':');
  const library = `${folder}/libwatchlab-port.so`;
  return { words: words.slice(at + 1), env, variant: FS.analyzePath(library).exists ? FS.readFile(library, { encoding: 'utf8' }).trim() : '' };
}

// `wasm` and `stories` are addresses or contents: the module, and the shipped stories as an object of texts by path.
export async function loadWatchlab({ wasm = here('watchlab.wasm'), stories = here('stories.json') } = {}) {
  if (WebAssembly.Suspending === undefined) {
    throw new Error('this engine cannot suspend WebAssembly (JSPI), which watchlab needs: Chromium 137, Firefox 153, Node 25, or newer');
  }
  const isPlaced = (what) => typeof what === 'string' || what instanceof URL || ArrayBuffer.isView(what) || what instanceof ArrayBuffer;
  const [module, shipped, { variants, builds }] = await Promise.all([
    wasm instanceof WebAssembly.Module ? wasm : bytesOf(wasm).then((bytes) => WebAssembly.compile(bytes)),
    isPlaced(stories) ? bytesOf(stories).then(jsonIn) : stories,
    bytesOf(here('variants.json')).then(jsonIn, () => ({ variants: [], builds: [] })),
  ]);
  const modules = new Map([['watchlab ', module]]);  // by program and variant of core
  let plain;            // of the module that variants are made of
  let course;           // the files of the course, once it is called

  // The module of that program, with the bug of a piece of the museum, or of an exercise's broken build, in core; made
  // at its first use.
  async function make(program, variant, onLoad) {
    if (program !== 'watchlab') {
      return WebAssembly.compile(await bytesOf(here(`${program}.wasm`), onLoad));
    }
    if (![...variants, ...builds].includes(variant)) {
      throw new Error(`there is no variant ${variant}; expected one of ${[...variants, ...builds].join(', ') || 'those that ./dev wasm --variants builds'}`);
    }
    plain ??= bytesOf(here('variants/module.wasm'), onLoad);
    const [whole, changes] = await Promise.all([plain, bytesOf(here(`variants/${variant}.bin`))]);
    return WebAssembly.compile(await patched(new Uint8Array(whole), new Uint8Array(changes)));
  }

  function moduleOf(program, variant, onLoad) {
    const name = `${program} ${variant}`;
    if (!modules.has(name)) {
      modules.set(name, make(program, variant, onLoad));
      modules.get(name).catch(() => modules.delete(name));
    }
    return modules.get(name);
  }

  const kept = new Map();  // what one call leaves at home for the next: the last failures

  // Calls the program with these words. `files` are there when it begins: names in its folder, texts or bytes. With
  // `onStderr` standard error is a terminal, on which progress is shown, unless `terminal` is false. With `machine`, in
  // Node, the files are those of this machine, it begins in the present folder, and `env` is all of its environment.
  // `program` may be watchlab-course, and `variant` one of `variants` or `builds`, whose bug is in core then. `onLoad`
  // gets how many bytes of a module are there, and of how many, or 0.
  async function run(words, { files = {}, env = {}, program = 'watchlab', variant = '', folder = kFolder, stdin = '', onStdout, onStderr, onLoad,
    terminal = onStderr !== undefined, machine = false } = {}) {
    const fs = machine ? await import('node:fs') : undefined;
    const [called, { default: createModule }] = await Promise.all([moduleOf(program, variant, onLoad),
      program !== 'watchlab' ? import('./watchlab-course-module.mjs') : variant ? import('./variants/module.mjs') : import('./watchlab-module.mjs')]);
    if (program !== 'watchlab') {
      course ??= jsonIn(await bytesOf(here('course.json')));
    }
    const out = textOf(onStdout);
    const err = textOf(onStderr);
    let failed;
    const failure = new Promise((_, reject) => { failed = reject; });
    failure.catch(() => {});
    const lab = await createModule({
      instantiateWasm: (imports, then) => {
        WebAssembly.instantiate(called, imports).then((instance) => then(instance, called), failed);
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
        Object.assign(ENV, machine ? {} : { HOME: kHome, TERM: 'xterm', NO_COLOR: '1' }, variants.includes(variant) ? { WATCHLAB_VARIANT: variant } : {}, env);
        if (machine) {
          mountMachine(lab, fs);
          FS.chdir(process.cwd());
        } else {
          [folder, kFolder, kHome].forEach((each) => FS.mkdirTree(each));
          FS.chdir(folder);
          writeFiles(FS, '/', Object.fromEntries(kept));
          writeFiles(FS, kCourse, program === 'watchlab' ? {} : course);
        }
        if (!FS.analyzePath(`${kShipped}/scenarios`).exists) {
          writeFiles(FS, kShipped, shipped);
        }
        FS.symlink(kPrograms[program], '/proc/self/exe');
        writeFiles(FS, machine ? process.cwd() : folder, files);
      }],
      runProgram: async (started, from) => {
        const { FS } = lab;
        const call = playerCall(FS, started);
        const there = [kFolder, kCourse, '/tmp'].flatMap((each) => [...filesBelow(FS, each)]);
        let output = '';
        const hear = (text) => { output += text; };
        try {
          const { status } = await run(call.words,
            { ...call, files: Object.fromEntries(there), folder: from, onStdout: hear, onStderr: hear, terminal: false });
          return { status, output };
        } catch (failure) {
          return { status: 2, output: `${failure.message}\n` };
        }
      },
    });
    const before = machine ? new Map() : filesBelow(lab.FS, kFolder);
    const status = await Promise.race([failure, callMain(lab, program, words)]).catch((error) => {
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

  return { run, variants, builds };
}
