// The site's one worker: it shows what is pushed to this browser, and says so where there is no connection. It keeps the
// files of that one page and nothing else: no page, no answer of the API, nothing of whoever is signed in.
// Served as it is: no build touches it.

// Another name with every change of these files, or browsers go on with the old ones.
const cacheName = 'offline-1'
const page = '/offline.html'
const kept = [page, '/offline.js', '/favicon.svg']

// Browsers that can be told so do not ask this worker about what it never answers.
async function passBy(event) {
  const past = ['/api/*', '/assets/*', '/static/*', '/transfers/*'].map((urlPattern) => ({ urlPattern }))
  try {
    await event.addRoutes?.([{ condition: { or: past }, source: 'network' }])
  } catch {
    // Another browser's notion of it: everything is asked about, and goes its way.
  }
}

self.addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(cacheName)
    await cache.addAll(kept.map((address) => new Request(address, { cache: 'reload' })))
    await passBy(event)
    await self.skipWaiting()
  }
  event.waitUntil(keep())
})

self.addEventListener('activate', (event) => {
  const begin = async () => {
    for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name)
    // Pages need not wait for this worker to wake before they are asked for.
    await self.registration.navigationPreload?.enable()
    await self.clients.claim()
  }
  event.waitUntil(begin())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  const isPage = request.mode === 'navigate'
  // Everything else goes its way as if there were no worker.
  if (!isPage && !kept.includes(pathname)) return
  const answer = async () => {
    try {
      return (await event.preloadResponse) ?? (await fetch(request))
    } catch (error) {
      const found = await caches.match(isPage ? page : pathname)
      if (found === undefined) throw error
      return found
    }
  }
  event.respondWith(answer())
})

self.addEventListener('push', (event) => {
  const said = event.data?.json()
  if (said === undefined) return
  event.waitUntil(
    self.registration.showNotification(said.title, {
      body: said.text,
      tag: said.id, // the same one pushed twice is shown once
      icon: '/icon-192.png',
      requireInteraction: said.importance === 'high',
      data: { path: said.path },
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const address = new URL(`${event.notification.data.path}?from=push`, self.location.origin)
  if (address.origin !== self.location.origin) return
  event.waitUntil(self.clients.openWindow(address.href))
})
