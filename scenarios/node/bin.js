#!/usr/bin/env node
// The command `watchlab`: starts the program of this system, and ends as it does.
'use strict';

const {spawn} = require('node:child_process');
const {command} = require('./program.js');

let found;
try {
  found = command();
} catch (missing) {
  console.error(missing.message);
  process.exit(2);
}
const [file, ...words] = found;
const child = spawn(file, [...words, ...process.argv.slice(2)], {stdio: 'inherit', ...(words.length ? {} : {argv0: 'watchlab'})});
// A terminal sends Ctrl-C to both; what somebody sends to this process alone is passed on.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (why) => {
  console.error(`watchlab: ${why.message}`);
  process.exit(2);
});
// A program that the loader refuses ends with 1, too, and the loader says no cure.
const GLIBC = '2.36';
child.on('exit', (status, signal) => {
  const glibc = status === 1 && !process.env.WATCHLAB && process.report.getReport().header.glibcVersionRuntime;
  if (glibc && glibc.localeCompare(GLIBC, 'en', {numeric: true}) < 0) {
    console.error(`watchlab: this system has glibc ${glibc}, and the program needs ${GLIBC} or newer; run it in a container of Debian 12`);
  }
  if (!signal) process.exit(status);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
