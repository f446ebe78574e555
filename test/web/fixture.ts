import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type Outcome, openHub } from '../../src/index.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')

/** The browser of this machine; null where there is none. */
export const chrome =
  [process.env.CHROME_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    path => path && existsSync(path),
  ) ?? null

/** Before each test: without a browser it is skipped, and says why. */
export function requireChrome({ skip }: { skip(reason: string): void }): void {
  if (!chrome) skip('there is no Chromium here; CHROME_PATH says where one is')
}

const sizes = { laptop: { width: 1280, height: 800 }, phone: { width: 360, height: 640 } } as const

export interface Visit {
  size?: keyof typeof sizes
  colours?: 'light' | 'dark'
  language?: string
  path?: string
}

export type Site = Awaited<ReturnType<typeof openSite>>

/** A real server on a real hub, a hub beside it to ask from, and a real browser. One for each file of tests. */
export async function openSite() {
  if (!chrome) throw new Error('There is no Chromium; say where with CHROME_PATH.')
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'beckon-web-')))
  const env = { BECKON_HOME: join(root, 'home'), BECKON_USER: 'mina' }
  const hub = await openHub({ env, caller: { directory: '/srv/shop', agent: 'claude-code' } })
  let server = await startServer(env)
  const browser = await chromium.launch({
    executablePath: chrome,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  })
  const guests: BrowserContext[] = []
  const first = await signedIn(browser, server)
  const { url } = server
  return { hub, env, root, url, browser, visit, open, stranger, newLink, stopServer, startAgain, close, leave }

  /** A page that is signed in, as from a browser of its own. Whatever it should not do is noticed. */
  async function visit({ size = 'laptop', colours = 'light', language = 'en-US', path = '/' }: Visit = {}) {
    const context = await browser.newContext({
      viewport: sizes[size],
      colorScheme: colours,
      locale: language,
      storageState: first,
      reducedMotion: 'reduce',
      ...(size === 'phone' ? { hasTouch: true, isMobile: true } : {}),
    })
    guests.push(context)
    // Shorter than a test may take, so that it is said what was waited for.
    context.setDefaultTimeout(12_000)
    const page = await context.newPage()
    const notices = watch(page, url)
    await page.goto(`${url}${path}`)
    await page.locator('main').waitFor()
    return Object.assign(page, { notices })
  }

  /** A page with a request of its own, and what becomes of it. */
  async function open(input: Parameters<typeof hub.raise>[0], size: keyof typeof sizes = 'laptop') {
    // By a key of its own, or it would be the same request as one that was asked before.
    const { id } = await hub.raise({ key: randomUUID(), ...input })
    const page = await visit({ path: `/requests/${id}`, size })
    return { page, id, outcome: () => outcomeOf(id) }
  }

  async function outcomeOf(id: string): Promise<Outcome> {
    const { outcome } = await hub.wait(id, { for: 15_000 })
    if (!outcome) throw new Error(`${id} was not settled.`)
    return outcome
  }

  async function stranger() {
    const context = await browser.newContext({ viewport: sizes.laptop })
    guests.push(context)
    return context.newPage()
  }

  /** Somebody who is signed in elsewhere asks for a link of their own. */
  async function newLink(): Promise<string> {
    await stopServer()
    await startAgain()
    return server.link
  }

  async function stopServer() {
    server.child.kill('SIGTERM')
    await server.ended
  }

  async function startAgain() {
    server = await startServer(env, new URL(url).port)
  }

  /** Between tests: all pages are closed, and nothing waits any more. */
  async function leave() {
    await Promise.all(guests.splice(0).map(context => context.close()))
    for (let left = await pending(); left.length > 0; left = await pending()) {
      await Promise.all(left.map(({ id }) => hub.cancel(id)))
    }
  }

  async function pending() {
    return (await hub.list({ limit: 200 })).requests
  }

  async function close() {
    await Promise.all(guests.splice(0).map(context => context.close()))
    await browser.close()
    await stopServer()
    await hub.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** Goes to another page as a link there would, and waits until it is there in full. */
export async function walk(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('popstate'))`)
  await page.locator('main h1:visible, main .log').first().waitFor()
  for (const unfinished of ['.loading-screen', '.markdown.loading']) {
    await page.locator(unfinished).first().waitFor({ state: 'detached' })
  }
}

export interface Notices {
  /** Dialogs, faults of scripts, and calls to any other host. */
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
    // Also what the page's own policy refused: nothing of ours should have tried.
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

async function signedIn(browser: Browser, { link }: { link: string }) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}
