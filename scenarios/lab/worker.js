// Runs calls of the program, one after another, away from the page.
import {loadWatchlab} from './watchlab.mjs';

const lab = loadWatchlab();
lab.then(() => postMessage({ready: true}), (error) => postMessage({broken: String(error?.message ?? error)}));

onmessage = async ({data: {id, args, files, progress}}) => {
  try {
    const onStderr = progress ? (text) => postMessage({id, progress: text}) : undefined;
    postMessage({id, answer: await (await lab).run(args, {files, onStderr})});
  } catch (error) {
    postMessage({id, broken: String(error?.message ?? error)});
  }
};
