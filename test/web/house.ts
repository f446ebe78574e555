import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { openHub } from '../../src/index.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')

/** The browser of this machine; null where there is none, and tests that need it are skipped by name. */
export const chrome =
  [process.env.CHROME_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    path => path && existsSync(path),
  ) ?? null

export const sizes = { laptop: { width: 1280, height: 800 }, phone: { width: 360, height: 640 } } as const

export interface Visit {
  size?: keyof typeof sizes
  colours?: 'light' | 'dark'
  language?: string
  path?: string
}

export type House = Awaited<ReturnType<typeof openHouse>>

/** A real server on a real hub, a hub beside it to ask from, and a real browser. One for each file of tests. */
export async function openHouse() {
  if (!chrome) throw new Error('There is no Chromium; say where with CHROME_PATH.')
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'beckon-web-')))
  const env = { BECKON_HOME: join(root, 'home'), BECKON_USER: 'mina' }
  const hub = await openHub({ env, caller: { directory: '/srv/shop', agent: 'claude-code' } })
  const server = await startServer(env)
  const browser = await chromium.launch({
    executablePath: chrome,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  })
  const guests: BrowserContext[] = []
  const first = await signedIn(browser, server)
  return { hub, env, root, url: server.url, browser, visit, stranger, close, leave }

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
    const page = await context.newPage()
    const notices = watch(page, server.url)
    await page.goto(`${server.url}${path}`)
    await page.locator('main').waitFor()
    return Object.assign(page, { notices })
  }

  async function stranger() {
    const context = await browser.newContext({ viewport: sizes.laptop })
    guests.push(context)
    return context.newPage()
  }

  /** Between tests: all pages are closed. */
  async function leave() {
    await Promise.all(guests.splice(0).map(context => context.close()))
  }

  async function close() {
    await leave()
    await browser.close()
    server.child.kill('SIGTERM')
    await server.ended
    await hub.close()
    rmSync(root, { recursive: true, force: true })
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

async function startServer(env: Record<string, string>) {
  const child = spawn(process.execPath, [launcher, 'serve', '--port', '0'], {
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
