/* What /sw.js is where copies are off: the browser forgets the worker and its copies. */
interface Lasting {
  waitUntil: (task: Promise<unknown>) => void
}

const scope = self as unknown as {
  addEventListener: (type: string, handle: (event: Lasting) => void) => void
  skipWaiting: () => Promise<void>
  registration: { unregister: () => Promise<boolean> }
}

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', (event) => event.waitUntil(end()))

async function end(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name)
  await scope.registration.unregister()
}

export {}
