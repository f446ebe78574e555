// Shows what is pushed, once for each request, and opens it. Nothing is cached: an inbox that is out of date is no help.

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))

// The message is { id, title, body?, url?, settled? }. A second one about the same request takes the first one's place in
// silence; one that says it is settled takes it away.
self.addEventListener('push', event => event.waitUntil(show(read(event.data))))

self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.url ?? '/'))
})

function read(data) {
  try {
    return data?.json() ?? {}
  } catch {
    return { title: data?.text() }
  }
}

async function show({ id, title = 'Beckon', body = '', url, settled = false }) {
  const tag = id ?? 'beckon'
  if (settled) {
    for (const shown of await self.registration.getNotifications({ tag })) shown.close()
    // A push must show something; where nothing is left to tell, the browser may say so itself.
    return
  }
  await self.registration.showNotification(String(title), {
    body: String(body),
    tag,
    icon: '/assets/icon-192.png',
    badge: '/assets/icon-192.png',
    data: { url: ownAddress(url) ?? (id ? `/requests/${encodeURIComponent(id)}` : '/') },
  })
}

/** Only addresses of this inbox are opened, whoever sent the message. */
function ownAddress(url) {
  if (typeof url !== 'string' || !URL.canParse(url, self.location.origin)) return null
  const parsed = new URL(url, self.location.origin)
  return parsed.origin === self.location.origin ? parsed.pathname : null
}

async function open(url) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const [first] = windows
  if (!first) return self.clients.openWindow(url)
  first.postMessage({ open: url })
  return first.focus()
}
