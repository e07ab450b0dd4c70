// Where the program is: each system has a package of its own, of which npm installs the one that fits.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const PACKAGES = {'linux x64': '@watchlab/linux-x64', 'linux arm64': '@watchlab/linux-arm64'};

/** The path of the program: $WATCHLAB, else that of the package for this system, else the one on the PATH. */
function program() {
  if (process.env.WATCHLAB) return process.env.WATCHLAB;
  const system = `${process.platform} ${process.arch}`;
  try {
    return require.resolve(`${PACKAGES[system]}/bin/watchlab`);
  } catch {
    const found = (process.env.PATH || '').split(path.delimiter).map((folder) => path.join(folder, 'watchlab'))
        .find((file) => fs.existsSync(file) && !fs.realpathSync(file).startsWith(__dirname));
    if (found) return found;
    throw new Error(PACKAGES[system] ?
        `watchlab: the package ${PACKAGES[system]} is not installed; install its file too, or name a program in $WATCHLAB` :
        `watchlab: there is no program for ${system} yet, only for ${Object.keys(PACKAGES).join(' and ')}; name one in $WATCHLAB`);
  }
}

const MODULE = path.join(__dirname, 'wasm.mjs');

/** How to call it, as a list of words: the program, or the module of WebAssembly, which needs Node 25 or newer. */
function command() {
  try {
    return [program()];
  } catch (missing) {
    if (!fs.existsSync(path.join(__dirname, 'wasm'))) throw missing;
    if (WebAssembly.Suspending) return [process.execPath, MODULE];
    throw new Error(`${missing.message}; or use Node 25 or newer, which runs watchlab as WebAssembly`);
  }
}

module.exports = {command, program};
