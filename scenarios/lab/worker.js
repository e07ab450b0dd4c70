// Runs calls of the program, one after another, away from the page.
import {loadWatchlab} from './watchlab.mjs';

const lab = loadWatchlab();
lab.then(() => postMessage({ready: true}), (error) => postMessage({broken: String(error?.message ?? error)}));

onmessage = async ({data: {id, args, files, call, progress}}) => {
  try {
    const onStderr = progress ? (text) => postMessage({id, progress: text}) : undefined;
    const onLoad = (bytes, all) => postMessage({id, loaded: {bytes, all}});
    postMessage({id, answer: await (await lab).run(args, {...call, files, onStderr, onLoad})});
  } catch (error) {
    postMessage({id, broken: String(error?.message ?? error)});
  }
};
