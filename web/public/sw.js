// Keeps the page itself, so that it opens at once and says in its own words that it is offline; never an answer of the
// API, because an outdated inbox is of no use. Shows one notification per pushed request and opens it on a click.

// The path below which the server is reached: empty, or such as /beckon.
const base = self.location.pathname.replace(/\/sw\.js$/, '')

self.addEventListener('install', event => {
  self.skipWaiting()
  // Calls to the API pass this worker by. What a page sends while it is being closed, such as a draft or a decision, would
  // otherwise wait for the worker, and browsers then drop it.
  event.addRoutes?.({ condition: { urlPattern: new URLPattern({ pathname: `${base}/api/*` }) }, source: 'network' })
  event.waitUntil(
    fetchShell()
      .then(storeShell)
      .catch(() => {}),
  )
})
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate' && !isServers(pathname)) event.respondWith(shellFor(event))
  else if (pathname.startsWith(`${base}/assets/`)) event.respondWith(assetFor(event))
})

const shell = `${base}/`
// Names of caches begin so and end with the path of a script: each build has one of its own.
const prefix = 'beckon-page '
// Enough for a server nearby. On a slow line the page opens as it was, and takes a newer build later.
const patience = 50

/** Paths that the page has nothing to do with. */
function isServers(pathname) {
  return /^\/(api|mcp|chat|healthz|readyz|metrics)(\/|$)/.test(pathname.slice(base.length))
}

/** The network's, if it comes soon; the stored one otherwise. */
async function shellFor(event) {
  const fresh = fetchShell()
  event.waitUntil(fresh.then(storeShell).catch(() => {}))
  const stored = await storedShell().catch(() => null)
  if (!stored) return (await fresh).clone()
  const late = new Promise(resolve => setTimeout(() => resolve(null), patience))
  const soon = await Promise.race([fresh.catch(() => null), late])
  return soon?.clone() ?? stored
}

async function storedShell() {
  // The newest build comes last.
  for (const name of (await ourCaches()).reverse()) {
    const stored = await (await caches.open(name)).match(shell)
    if (stored) return stored
  }
  return null
}

function fetchShell() {
  return fetch(shell, { cache: 'no-cache' })
}

/** Stores the page with the files it starts with, so that what is stored always starts. The disk may be full. */
async function storeShell(response) {
  if (!response.ok) return
  const copy = response.clone()
  const html = await response.clone().text()
  const [, build] = /<script[^>]+src="([^"]*\/assets\/page-[^"]+\.js)"/.exec(html) ?? []
  // A server whose page was not built says so in a page of its own.
  if (!build) return
  const name = prefix + build
  const known = await ourCaches()
  const cache = await caches.open(name)
  if (!known.includes(name)) {
    const files = [...html.matchAll(/(?:src|href)="([^"]*\/assets\/[^"]+)"/g)].map(([, file]) => file)
    await cache.addAll(files)
  }
  await cache.put(shell, copy)
  if (known.includes(name)) return
  // The one before stays for pages that are still open.
  for (const old of known.slice(0, -1)) await caches.delete(old)
  for (const client of await self.clients.matchAll({ type: 'window' })) client.postMessage({ build })
}

/** The names of these files contain a hash of their content: a stored one is as good as the server's. */
async function assetFor(event) {
  const { request } = event
  const stored = await caches.match(request).catch(() => undefined)
  if (stored) return stored
  const response = await fetch(request)
  // The page has it, whether it can be stored or not: the disk may be full.
  if (response.ok) event.waitUntil(storeAsset(request, response.clone()).catch(() => {}))
  return response
}

async function storeAsset(request, response) {
  const newest = (await ourCaches()).at(-1)
  if (newest) await (await caches.open(newest)).put(request, response)
}

async function ourCaches() {
  return (await caches.keys()).filter(name => name.startsWith(`${prefix}${base}/assets/`))
}

// ---- Push: one notification per pushed request. A click opens it; a button answers a simple question. ----

// A message is { id, title, body?, url?, quick?, settled? }. A second message about a request silently replaces the first;
// with `settled`, it says how that ended. `quick` is { question, options }: what the buttons say and send.
self.addEventListener('push', event => event.waitUntil(show(read(event.data))))

self.addEventListener('notificationclick', event => {
  const { notification, action } = event
  const { url = shell, id, quick } = notification.data ?? {}
  const option = quick?.options[optionActions.indexOf(action)]
  if (option !== undefined) return event.waitUntil(answer(notification, { id, url, question: quick.question, option }))
  notification.close()
  event.waitUntil(open(url))
})

function read(data) {
  try {
    return data?.json() ?? {}
  } catch {
    return { title: data?.text() }
  }
}

const optionActions = ['first', 'second']

async function show({ id, title = 'Beckon', body = '', url, quick, settled = false }) {
  const tag = id ?? 'beckon'
  const options = Array.isArray(quick?.options) ? quick.options.slice(0, optionActions.length).map(String) : []
  await self.registration.showNotification(String(title), {
    body: String(body),
    tag,
    // Browsers expect every push to show something; but nobody needs to look up for this.
    silent: Boolean(settled),
    icon: `${base}/assets/icon-192.png`,
    badge: `${base}/assets/icon-192.png`,
    actions: options.map((option, i) => ({ action: optionActions[i], title: option })),
    data: {
      url: ownAddress(url) ?? (id ? `${base}/requests/${encodeURIComponent(id)}` : shell),
      id,
      quick: options.length > 0 ? { question: String(quick.question), options } : null,
    },
  })
}

/**
 * As the person who is signed in here. Whoever answers first wins; the other one is told who did, in place of the question:
 * a browser that is still closing a notification may close its successor, too.
 */
async function answer(notification, { id, url, question, option }) {
  const words = wordsIn(self.navigator.language)
  const path = `${base}/api/requests/${encodeURIComponent(id)}`
  try {
    const page = await pageSecret()
    const headers = page === null ? {} : { 'beckon-page': page }
    if (await saysMoreNow(path, headers)) {
      notification.close()
      return await open(url)
    }
    const response = await fetch(`${path}/answer`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ answers: [{ id: question, selected: [option] }] }),
    })
    if (response.ok) return notification.close()
    const { error } = await response.json().catch(() => ({}))
    if (response.status === 409 || response.status === 410) {
      const { by = '', answers = [] } = error?.details?.outcome ?? {}
      const chosen = answers.flatMap(({ selected = [], text }) => [...selected, ...(text ? [text] : [])]).join(', ')
      return await tell(words.lost, [by, chosen].filter(Boolean).join(': ').slice(0, 200))
    }
  } catch {
    // No connection: the person answers in the page.
  }
  return await tell(words.failed, words.open)

  function tell(title, body) {
    return self.registration.showNotification(title, {
      body,
      tag: id,
      icon: `${base}/assets/icon-192.png`,
      data: { url },
    })
  }
}

/** Whether somebody asked back or a file came since the notification: it no longer shows all that one decides on. */
async function saysMoreNow(path, headers) {
  const response = await fetch(path, { headers })
  if (!response.ok) return false
  const { messages = [], attachments = [] } = await response.json()
  return messages.length > 0 || attachments.length > 0
}

function wordsIn(language) {
  if (language.startsWith('ko'))
    return { lost: '이미 답이 있습니다', failed: '보내지 못했습니다', open: '열어서 답해 주세요.' }
  if (language.startsWith('zh')) return { lost: '已有人回答', failed: '未能发送', open: '请打开后回答。' }
  return { lost: 'Already answered', failed: 'Not sent', open: 'Open it to answer.' }
}

/** The page stores it where the person allowed answers in notifications: a worker cannot read what a page stores else. */
function pageSecret() {
  return new Promise(resolve => {
    const opening = indexedDB.open(`beckon${base}`, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('worker')
    opening.onerror = () => resolve(null)
    opening.onsuccess = () => {
      const reading = opening.result.transaction('worker').objectStore('worker').get('page')
      reading.onerror = () => resolve(null)
      reading.onsuccess = () => resolve(reading.result ?? null)
    }
  })
}

/** Only addresses of this inbox are opened, whatever the message says. */
function ownAddress(url) {
  if (typeof url !== 'string' || !URL.canParse(url, self.location.origin)) return null
  const parsed = new URL(url, self.location.origin)
  return parsed.origin === self.location.origin && parsed.pathname.startsWith(shell) ? parsed.pathname : null
}

async function open(url) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const [first] = windows
  if (!first) return self.clients.openWindow(url)
  first.postMessage({ open: url })
  return first.focus()
}
