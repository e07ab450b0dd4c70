// The program as the page calls it: one worker, one call at a time, ended at once when the reader says so.

/** A call that the reader has stopped. */
export class Stopped extends Error {}

const kCalls = 30;  // of one worker: a run leaves megabytes behind

export class Engine {
  constructor(onReady) {
    this.onReady = onReady;  // gets '' when the engine is there, or why it is not
    this.calls = new Map();
    this.next = 1;
    this.generation = 0;
    this.last = Promise.resolve();
    this.start();
  }

  start() {
    this.worker?.terminate();
    this.used = 0;
    this.worker = new Worker('./worker.js', {type: 'module'});
    this.worker.onmessage = ({data}) => this.hear(data);
    this.worker.onerror = (event) => this.onReady(event.message || 'the worker does not start');
  }

  hear({id, ready, broken, answer, progress, loaded}) {
    const call = this.calls.get(id);
    if (!call) {
      if (ready || broken) {
        this.onReady(broken ?? '');
      }
      return;
    }
    if (loaded !== undefined) {
      call.onLoad?.(loaded);
      return;
    }
    if (progress !== undefined) {
      call.onProgress(progress);
      return;
    }
    this.calls.delete(id);
    if (answer) {
      call.resolve(answer);
    } else {
      call.reject(new Error(broken));
    }
  }

  /** The answer of `watchlab ARGS…` with these files: {status, stdout, stderr, files}. `call` may name a variant of core, another
   *  program, and its environment. */
  run(args, files, {onProgress, onLoad, ...call} = {}) {
    const {generation} = this;
    const start = () => new Promise((resolve, reject) => {
      if (generation !== this.generation) {
        reject(new Stopped());
        return;
      }
      if (this.used++ === kCalls) {
        this.start();
      }
      const id = this.next++;
      this.calls.set(id, {resolve, reject, onProgress, onLoad});
      this.worker.postMessage({id, args, files, call, progress: onProgress !== undefined});
    });
    const answer = this.last.then(start);
    this.last = answer.catch(() => {});
    return answer;
  }

  /** The next call gets a worker of its own, whose files are kept for when there is no network. */
  renew() {
    this.used = kCalls;
  }

  /** Ends what runs, and what waits for it. */
  stop() {
    ++this.generation;
    this.calls.forEach(({reject}) => reject(new Stopped()));
    this.calls.clear();
    this.start();
  }
}

/** Standard output of a call with --json: an object a line. */
export function linesOf(answer) {
  return answer.stdout.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}
