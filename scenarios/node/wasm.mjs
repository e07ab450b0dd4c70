// The command `watchlab` by its WebAssembly, where there is no program of this system.
import fs from 'node:fs';
import { loadWatchlab } from './wasm/watchlab.mjs';

const lab = await loadWatchlab();
const { status } = await lab.run(process.argv.slice(2), {
  machine: true,
  env: { ...process.env, WATCHLAB_CALLED_AS: 'watchlab' },
  stdin: () => fs.readFileSync(0, 'utf8'),
  onStdout: (text) => fs.writeSync(1, text),
  onStderr: (text) => fs.writeSync(2, text),
  terminal: process.stderr.isTTY === true,
});
process.exitCode = status;
