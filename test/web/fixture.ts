import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { openHub } from '../../src/open-hub.ts'
import type { Outcome } from '../../src/protocol/index.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')

/** The Chromium of this machine, or null. */
export const chrome =
  [process.env.CHROME_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    path => path && existsSync(path),
  ) ?? null

/** The same browser without a user interface, where it is installed: half the work, but it shows no notifications. */
export const bareChrome =
  [process.env.CHROME_PATH, '/usr/bin/chromium-headless-shell'].find(path => path && existsSync(path)) ?? chrome

/** Skips a test with a reason if there is no browser. */
export function requireChrome({ skip }: { skip(reason: string): void }): void {
  if (!chrome) skip('Chromium was not found; set CHROME_PATH')
}

const sizes = {
  laptop: { width: 1280, height: 800 },
  wide: { width: 1600, height: 1000 },
  phone: { width: 360, height: 640 },
} as const

export interface Visit {
  size?: keyof typeof sizes
  colours?: 'light' | 'dark'
  language?: string
  path?: string
  /** Without a service worker, the test sees every call of the page. */
  worker?: boolean
}

export type Site = Awaited<ReturnType<typeof openSite>>

/** A real server on a real hub, a second hub to ask from, and a real browser. One for each test file. */
export async function openSite({ notifies = false } = {}) {
  if (!chrome || !bareChrome) throw new Error('Chromium was not found. Set CHROME_PATH.')
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'beckon-web-')))
  const env = { BECKON_HOME: join(root, 'home'), BECKON_USER: 'mina' }
  const hub = await openHub({ env, caller: { directory: '/srv/shop', agent: 'claude-code' } })
  let server = await startServer(env)
  const browser = await chromium.launch({
    executablePath: notifies ? chrome : bareChrome,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  })
  const contexts: BrowserContext[] = []
  const first = await signedIn(browser, server)
  const { url } = server
  return { hub, env, root, url, browser, visit, open, stranger, newLink, stopServer, startServerAgain, close, reset }

  /** A signed-in page in a browser context of its own. `notices.bad` collects whatever it must not do. */
  async function visit({
    size = 'laptop',
    colours = 'light',
    language = 'en-US',
    path = '/',
    worker = true,
  }: Visit = {}) {
    const context = await browser.newContext({
      viewport: sizes[size],
      colorScheme: colours,
      locale: language,
      storageState: { cookies: first.cookies, origins: [] },
      reducedMotion: 'reduce',
      serviceWorkers: worker ? 'allow' : 'block',
      ...(size === 'phone' ? { hasTouch: true, isMobile: true } : {}),
    })
    contexts.push(context)
    // Shorter than the timeout of a test, so that the error names what was missing.
    context.setDefaultTimeout(12_000)
    const page = await context.newPage()
    await page.addInitScript(restoreStorage(first.origins))
    const notices = watch(page, url)
    await page.goto(`${url}${path}`)
    await page.locator('main').waitFor()
    return Object.assign(page, { notices })
  }

  /** A page with a new request, and a way to wait for its outcome. */
  async function open(input: Parameters<typeof hub.raise>[0], size: keyof typeof sizes = 'laptop') {
    // With a key of its own, or it could join an earlier request.
    const { id } = await hub.raise({ key: randomUUID(), ...input })
    const page = await visit({ path: `/requests/${id}`, size })
    await page.locator('.request h1').first().waitFor()
    return { page, id, outcome }

    /** Leaves the page first, as a decision waits for a few seconds otherwise. */
    async function outcome() {
      await sendAtOnce(page)
      return outcomeOf(id)
    }
  }

  async function outcomeOf(id: string): Promise<Outcome> {
    const { outcome } = await hub.wait(id, { for: 15_000 })
    if (!outcome) throw new Error(`${id} was not settled.`)
    return outcome
  }

  async function stranger(locale = 'en-US') {
    const context = await browser.newContext({ viewport: sizes.laptop, locale, reducedMotion: 'reduce' })
    contexts.push(context)
    return context.newPage()
  }

  /** Restarts the server, which prints a new sign-in link. */
  async function newLink(): Promise<string> {
    await stopServer()
    await startServerAgain()
    return server.link
  }

  async function stopServer() {
    server.child.kill('SIGTERM')
    await server.ended
  }

  async function startServerAgain() {
    server = await startServer(env, new URL(url).port)
  }

  /** Between tests: closes all pages and cancels all pending requests. */
  async function reset() {
    await Promise.all(contexts.splice(0).map(context => context.close()))
    for (let left = await pending(); left.length > 0; left = await pending()) {
      await Promise.all(left.map(({ id }) => hub.cancel(id)))
    }
  }

  async function pending() {
    return (await hub.list({ limit: 200 })).requests
  }

  async function close() {
    await Promise.all(contexts.splice(0).map(context => context.close()))
    await browser.close()
    await stopServer()
    await hub.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** Tells the page that it is being left: then it sends what it would otherwise keep for undo. */
export async function sendAtOnce(page: Page): Promise<void> {
  await page.evaluate(`dispatchEvent(new Event('pagehide'))`)
}

/** Presses the key of a verb of the bar, once the verb can be used. */
export async function pressKey(page: Page, key: string): Promise<void> {
  await page.locator(`button[aria-keyshortcuts="${key}"]:enabled`).first().waitFor()
  await page.keyboard.press(key)
}

/** Navigates as a link would, and waits until the page is complete. */
export async function walk(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('popstate'))`)
  await page.locator('main h1:visible, main .log').first().waitFor()
  for (const unfinished of ['.loading-screen', '.markdown.loading']) {
    await page.locator(unfinished).first().waitFor({ state: 'detached' })
  }
}

export interface Notices {
  /** Dialogs, script errors, and calls to other hosts. */
  readonly bad: string[]
}

function watch(page: Page, url: string): Notices {
  const bad: string[] = []
  page.on('dialog', dialog => {
    bad.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', error => bad.push(`fault: ${error.message}`))
  page.on('request', request => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) bad.push(`call: ${request.url()}`)
  })
  page.on('console', message => {
    // Including violations of the content security policy.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) bad.push(`console: ${message.text()}`)
  })
  return { bad }
}

async function startServer(env: Record<string, string>, port = '0') {
  const child = spawn(process.execPath, [launcher, 'serve', '--port', port], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  let url = ''
  for await (const line of createInterface(child.stdout)) {
    url ||= line.trim()
    if (line.includes('#signin=')) return { child, ended, url, link: line.trim() }
  }
  throw new Error('beckon serve ended before it printed a link.')
}

/** At the page's first load. Playwright itself would open another page for it, which takes as long as the test's own. */
function restoreStorage(origins: unknown): string {
  return `for (const { origin, localStorage: stored } of ${JSON.stringify(origins)}) {
    if (origin !== location.origin || sessionStorage.getItem('restored')) continue
    sessionStorage.setItem('restored', 'yes')
    for (const { name, value } of stored) localStorage.setItem(name, value)
  }`
}

async function signedIn(browser: Browser, { link }: { link: string }) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}
