import { type Browser, chromium, type Page } from 'playwright-core'
import { chrome, openSite, type Site } from '../test/web/fixture.ts'
import { percentile, progress, type Row } from './report.ts'
import { type Line, openSlowLine } from './slow-line.ts'

// A phone on a train.
const train = { roundTrip: 300, bytesPerSecond: 200_000 }
const waiting = 5_000
const presses = 60
const rounds = 5

interface Travel {
  readonly site: Site
  readonly line: Line
  /** A browser that reaches the site over the line only. */
  readonly browser: Browser
}

/** Measures the page in Chromium on a slow line, with many requests waiting. */
export async function benchWeb(): Promise<Row[]> {
  const site = await openSite()
  const line = await openSlowLine(site.url, train)
  const browser = await chromium.launch({
    executablePath: chrome ?? '',
    // The page keeps its address, by which the server knows it.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      `--host-resolver-rules=MAP ${new URL(site.url).host} 127.0.0.1:${line.port}`,
    ],
  })
  const travel = { site, line, browser }
  try {
    progress(`${waiting} requests`)
    const ids = await fill(site)
    const rows = { cold: [] as number[], cached: [] as number[], bytes: [] as number[] }
    const frames = { median: [] as number[], p95: [] as number[], longest: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      progress(`opening a request, ${round + 1} of ${rounds}`)
      const { cold, cached, bytes } = await measureOpening(travel, ids[(round + 1) * 900] as string, ids[20] as string)
      rows.cold.push(cold)
      rows.cached.push(cached)
      rows.bytes.push(bytes)
      progress(`${presses} × j, ${round + 1} of ${rounds}`)
      const taken = await measureFrames(travel)
      frames.median.push(percentile(taken, 0.5))
      frames.p95.push(percentile(taken, 0.95))
      frames.longest.push(Math.max(...taken))
    }
    const opened = `a request opened on 200 kB/s and 300 ms, ${waiting.toLocaleString('en')} waiting, median of ${rounds}`
    const keys = `${presses} × j through the list, median of ${rounds}`
    return [
      { group: opened, name: 'nothing cached', value: middle(rows.cold), unit: 'ms', goal: atMost(2_500) },
      { group: opened, name: 'the page cached', value: middle(rows.cached), unit: 'ms', goal: atMost(1_000) },
      { group: opened, name: 'bytes of the page', value: middle(rows.bytes) / 1_000, unit: 'kB', goal: atMost(130) },
      { group: keys, name: 'a frame, median', value: middle(frames.median), unit: 'ms' },
      { group: keys, name: 'a frame, p95', value: middle(frames.p95), unit: 'ms', goal: atMost(20) },
      { group: keys, name: 'a frame, longest', value: middle(frames.longest), unit: 'ms' },
    ]
  } finally {
    await browser.close()
    await line.close()
    await site.close()
  }
}

/** Some hundred of them are alike and folded; the others are rows of their own. */
async function fill({ hub }: Site): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < waiting; i += 50) {
    const some = Array.from({ length: 50 }, (_, k) => questionOf(i + k))
    ids.push(...(await Promise.all(some.map(async input => (await hub.raise(input)).id))))
  }
  return ids
}

function questionOf(n: number): Parameters<Site['hub']['raise']>[0] {
  const agent = { name: `agent-${n % 12}`, cwd: `/srv/project-${n % 25}` }
  const question = n % 10 === 0 ? `Fix the warning in file${n}.ts?` : `Which colour does ${word(n)} ${word(n * 7)} get?`
  return {
    key: `bench-${n}`,
    agent,
    questions: [{ question, options: ['red', 'green', 'blue'] }],
    context: `The **palette** has ${n} entries.\n\n- one is as good as another\n- \`${word(n)}\` needs one today`,
  }
}

/** A word without digits: questions that differ in numbers only are alike. */
function word(n: number): string {
  return [...String(n)].map(digit => 'bcdfglmnrs'.charAt(Number(digit)) + 'aeiou'.charAt(Number(digit) % 5)).join('')
}

async function measureOpening(travel: Travel, first: string, second: string) {
  const context = await signedInContext(travel)
  try {
    const page = await context.newPage()
    const before = bytesOfPage(travel)
    const cold = await timeToOpen(travel, page, first)
    const bytes = bytesOfPage(travel) - before
    // As a person would who has used it before: the service worker has stored the page.
    while (!(await page.evaluate(isStored))) await page.waitForTimeout(100)
    await page.close()
    const again = await context.newPage()
    return { cold, cached: await timeToOpen(travel, again, second), bytes }
  } finally {
    await context.close()
  }
}

const isStored = `navigator.serviceWorker.controller !== null && caches.keys().then(async names =>
  (await Promise.all(names.map(async name => (await caches.open(name)).match('/')))).some(Boolean))`

/** Until the request is read and can be answered. */
async function timeToOpen({ site }: Travel, page: Page, id: string): Promise<number> {
  const request = await site.hub.get(id)
  const title = request.kind === 'question' ? (request.questions[0]?.question ?? '') : ''
  const began = performance.now()
  await page.goto(`${site.url}/requests/${id}`, { waitUntil: 'commit' })
  // At each frame: a locator looks only twice a second.
  await page.evaluate(untilAnswerable(title))
  return performance.now() - began
}

function untilAnswerable(title: string): string {
  return `new Promise(resolve => {
    const has = (selector, text) => [...document.querySelectorAll(selector)].some(({ textContent }) => textContent.includes(text))
    const look = () =>
      has('main h1', ${JSON.stringify(title)}) && has('.decision-bar button:enabled', 'red') ? resolve() : requestAnimationFrame(look)
    look()
  })`
}

/** The time from frame to frame while a person presses `j` twenty times a second. */
async function measureFrames(travel: Travel): Promise<number[]> {
  const context = await signedInContext(travel, { width: 1600, height: 1000 })
  try {
    const page = await context.newPage()
    await page.goto(travel.site.url)
    await page.locator('.decision-bar button:enabled').first().waitFor()
    const from = await openPosition(page)
    await page.evaluate(`{
      globalThis.frames = []
      let last = performance.now()
      requestAnimationFrame(function count(now) {
        globalThis.frames.push(now - last)
        last = now
        requestAnimationFrame(count)
      })
    }`)
    for (let i = 0; i < presses; i += 1) {
      await page.keyboard.press('j')
      await page.waitForTimeout(50)
    }
    const frames = await page.evaluate<number[]>('globalThis.frames')
    const moved = (await openPosition(page)) - from
    if (moved !== presses) throw new Error(`${presses} × j moved by ${moved} rows.`)
    return frames.slice(2)
  } finally {
    await context.close()
  }
}

/** The place of the open request in the list. */
async function openPosition(page: Page): Promise<number> {
  return Number(await page.locator('.inbox li', { has: page.locator('[aria-current]') }).getAttribute('aria-posinset'))
}

async function signedInContext({ site, browser }: Travel, viewport = { width: 1280, height: 800 }) {
  const page = await site.visit()
  const storageState = await page.context().storageState()
  await page.context().close()
  return browser.newContext({ viewport, storageState, locale: 'en-US' })
}

/** All that went over the line except answers of the API, with headers, and with what the service worker loads. */
function bytesOfPage({ line }: Travel): number {
  return [...line.sent].reduce((sum, [path, bytes]) => (path.startsWith('/api/') ? sum : sum + bytes), 0)
}

function middle(values: readonly number[]): number {
  return percentile(values, 0.5)
}

function atMost(most: number) {
  return { of: 'value', atMost: most } as const
}
