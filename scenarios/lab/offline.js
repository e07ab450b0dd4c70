// Keeps the page for when there is no network. The files and their version are filled in when the site is made.
const kVersion = '/* version */';
const kFiles = [/* files */];
const kOwn = 'watchlab-lab-';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(kOwn + kVersion).then((cache) => cache.addAll(kFiles)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name.startsWith(kOwn) && name !== kOwn + kVersion).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) {
    return;
  }
  event.respondWith(caches.open(kOwn + kVersion).then(async (cache) => {
    const found = await cache.match(event.request, {ignoreSearch: true});
    if (found) {
      return found;
    }
    const answer = await fetch(event.request);
    if (answer.ok && url.pathname.startsWith(new URL('./', location).pathname)) {
      cache.put(event.request, answer.clone());
    }
    return answer;
  }));
});
