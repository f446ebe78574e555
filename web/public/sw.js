// Shows one notification per pushed request and opens it on a click. It caches nothing: an outdated inbox is of no use.

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))

// A message is { id, title, body?, url?, settled? }. A second message about a request silently replaces the first; one
// with `settled` removes it.
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
    // Browsers expect a push to show something, and may show a default notification here.
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

/** Only addresses of this inbox are opened, whatever the message says. */
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
