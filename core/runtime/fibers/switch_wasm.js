// Lines of execution as an engine with JSPI has them: a call into WebAssembly whose import returns a promise is left,
// and goes on once that is kept. A fiber is the address of its C++ object. Without JSPI, Asyncify could do the same
// under the same names.
addToLibrary({
  $watchlabFibers: `={
    waiting: new Map(),  // how a fiber that was left goes on
    tops: new Map(),     // where the stack of one that has not begun is
    idle: [],            // lines of execution whose fibers have come to their end
    enter(fiber) {
      const goOn = this.waiting.get(fiber);
      if (goOn !== undefined) {
        this.waiting.delete(fiber);
        goOn(0);
        return;
      }
      const top = this.tops.get(fiber);
      this.tops.delete(fiber);
      const line = this.idle.pop();
      if (line !== undefined) {
        line.begin(fiber);
        return;
      }
      // Not before the caller has been left.
      Promise.resolve().then(() => {
        wasmExports['_emscripten_stack_restore'](top);
        return wasmExports['watchlab_run_fibers'](fiber);
      }).catch((failure) => {
        // One that was forgotten ends by a trap.
        if (!this.isOver && !(failure instanceof WebAssembly.RuntimeError && /unreachable/.test(failure.message))) {
          Module['onFiberFailure']?.(failure);
        }
      });
    },
    // When the program has ended: the engine keeps what is left suspended, for as long as the page lives.
    end() {
      this.isOver = true;
      for (const goOn of this.waiting.values()) {
        goOn(1);
      }
      for (const line of this.idle) {
        line.fail(new Error('the program has ended'));
      }
    },
    isOver: false,
  }`,
  $watchlabFibers__postset: "Module['endFibers'] = () => watchlabFibers.end();",
  watchlab_prepare_fiber__deps: ['$watchlabFibers'],
  watchlab_prepare_fiber: (fiber, top) => {
    watchlabFibers.waiting.delete(fiber);
    watchlabFibers.tops.set(fiber, top);
  },
  watchlab_forget_fiber__deps: ['$watchlabFibers'],
  watchlab_forget_fiber: (fiber) => {
    const goOn = watchlabFibers.waiting.get(fiber);
    watchlabFibers.waiting.delete(fiber);
    watchlabFibers.tops.delete(fiber);
    goOn?.(1);
  },
  watchlab_fail_fiber: () => Module['onFiberFailure']?.(new Error('a task overflowed its stack')),
  watchlab_leave_fiber__deps: ['$watchlabFibers'],
  watchlab_leave_fiber__async: true,
  watchlab_leave_fiber: (from, to) => new Promise((goOn) => {
    watchlabFibers.waiting.set(from, goOn);
    watchlabFibers.enter(to);
  }),
  watchlab_park_fiber__deps: ['$watchlabFibers'],
  watchlab_park_fiber__async: true,
  watchlab_park_fiber: (to) => new Promise((begin, fail) => {
    watchlabFibers.idle.push({ begin, fail });
    watchlabFibers.enter(to);
  }),
});
