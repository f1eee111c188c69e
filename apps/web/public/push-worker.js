// Shows what is pushed to this browser, and opens what a click asks for. Served as it is: no build touches it.
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
