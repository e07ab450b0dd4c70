// A controller in JavaScript: an informer of the official client on ConfigMaps, and a client that writes them.
// tests/clients/drive.py says what it reads and prints. Run in the folder of the packages.
import * as readline from 'node:readline';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const require = createRequire(process.cwd() + '/');
const k8s = await import(pathToFileURL(require.resolve('@kubernetes/client-node')));
const config = new k8s.KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(k8s.CoreV1Api);
const namespace = 'app';

const list = () => api.listNamespacedConfigMap({namespace});
const informer = k8s.makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list);
const show = () => {
  const entries = informer.list(namespace).map((each) => `${each.metadata.name}=${each.data?.k ?? ''}`);
  console.log('store ' + entries.sort().join(','));
};
for (const kind of ['add', 'update', 'delete']) informer.on(kind, () => setImmediate(show));
// What the client's own example does: after an error it starts again, in a while.
const again = (failure) => {
  console.error('informer:', failure?.message ?? failure);
  setTimeout(() => informer.start().catch(again), 1000);
};
informer.on('error', again);
informer.start().catch(again);

const merge = k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.MergePatch);
const obey = ([verb, name, value]) => {
  if (verb === 'create') return api.createNamespacedConfigMap({namespace, body: {metadata: {name}, data: {k: value}}});
  if (verb === 'patch') return api.patchNamespacedConfigMap({name, namespace, body: {data: {k: value}}}, merge);
  return api.deleteNamespacedConfigMap({name, namespace});
};
for await (const line of readline.createInterface({input: process.stdin})) {
  try {
    await obey(line.split(' '));
    console.log('done');
  } catch (failure) {
    console.log('failed', String(failure.message ?? failure).split('\n')[0]);
  }
}
process.exit(0);
