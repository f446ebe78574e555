import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { openSite, type Site } from '../test/web/fixture.ts'
import { percentile, progress, type Row } from './report.ts'

// A phone on a train: 200 kB/s, and 300 ms until an answer begins.
const line = { offline: false, downloadThroughput: 200_000, uploadThroughput: 200_000, latency: 300 }
const waiting = 5_000
const presses = 60
const rounds = 3

/** Measures the page in Chromium on a slow line, with many requests waiting. */
export async function benchWeb(): Promise<Row[]> {
  const site = await openSite()
  try {
    progress(`${waiting} requests`)
    const ids = await fill(site)
    const rows = { cold: [] as number[], cached: [] as number[], bytes: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      progress(`opening a request, ${round + 1} of ${rounds}`)
      const { cold, cached, bytes } = await measureOpening(site, ids[(round + 1) * 900] as string, ids[20] as string)
      rows.cold.push(cold)
      rows.cached.push(cached)
      rows.bytes.push(bytes)
    }
    progress(`${presses} × j`)
    const frames = await measureFrames(site)
    const opened = `a request opened on 200 kB/s and 300 ms, ${waiting.toLocaleString('en')} waiting`
    const keys = `${presses} × j through the list`
    return [
      { group: opened, name: 'nothing cached', value: middle(rows.cold), unit: 'ms', goal: atMost(2_500) },
      { group: opened, name: 'the page cached', value: middle(rows.cached), unit: 'ms', goal: atMost(1_000) },
      { group: opened, name: 'bytes of the page', value: middle(rows.bytes) / 1_000, unit: 'kB', goal: atMost(130) },
      { group: keys, name: 'a frame, median', value: percentile(frames, 0.5), unit: 'ms' },
      { group: keys, name: 'a frame, p95', value: percentile(frames, 0.95), unit: 'ms', goal: atMost(20) },
      { group: keys, name: 'a frame, longest', value: Math.max(...frames), unit: 'ms' },
    ]
  } finally {
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

async function measureOpening(site: Site, first: string, second: string) {
  const context = await signedInContext(site)
  try {
    const page = await context.newPage()
    const { bytesOfPage, cdp } = await slowDown(context, page)
    const cold = await timeToOpen(site, page, first)
    const bytes = bytesOfPage()
    // As a person would who has used it before: the service worker has stored the page.
    await page.waitForFunction('navigator.serviceWorker.controller !== null', null, { timeout: 60_000 })
    await page.waitForFunction(
      "caches.keys().then(async names => (await Promise.all(names.map(async name => (await (await caches.open(name)).match('/')) !== undefined))).some(Boolean))",
      null,
      { timeout: 60_000 },
    )
    await cdp.detach()
    await page.close()
    const again = await context.newPage()
    await slowDown(context, again)
    return { cold, cached: await timeToOpen(site, again, second), bytes }
  } finally {
    await context.close()
  }
}

async function timeToOpen(site: Site, page: Page, id: string): Promise<number> {
  const request = await site.hub.get(id)
  const title = request.kind === 'question' ? (request.questions[0]?.question ?? '') : ''
  const began = performance.now()
  await page.goto(`${site.url}/requests/${id}`, { waitUntil: 'commit' })
  await page.locator('main h1', { hasText: title }).first().waitFor({ timeout: 60_000 })
  await page.getByText('red', { exact: true }).first().waitFor({ timeout: 60_000 })
  return performance.now() - began
}

/** The time from frame to frame while a person holds on to `j`. */
async function measureFrames(site: Site): Promise<number[]> {
  const context = await signedInContext(site, { width: 1600, height: 1000 })
  try {
    const page = await context.newPage()
    await page.goto(site.url)
    await page.locator('.inbox [data-request]').nth(10).waitFor()
    await slowDown(context, page)
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
    return frames.slice(2)
  } finally {
    await context.close()
  }
}

async function signedInContext(site: Site, viewport = { width: 1280, height: 800 }): Promise<BrowserContext> {
  const page = await site.visit()
  const storageState = await page.context().storageState()
  await page.context().close()
  return site.browser.newContext({ viewport, storageState, locale: 'en-US' })
}

/** Counts what the page itself takes on the line, as it was sent; answers of the API do not count. */
async function slowDown(context: BrowserContext, page: Page): Promise<{ cdp: CDPSession; bytesOfPage: () => number }> {
  const cdp = await context.newCDPSession(page)
  const ofPage = new Set<string>()
  let bytes = 0
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (!new URL(response.url).pathname.startsWith('/api/') && !response.fromServiceWorker) ofPage.add(requestId)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (ofPage.has(requestId)) bytes += encodedDataLength
  })
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', line)
  return { cdp, bytesOfPage: () => bytes }
}

function middle(values: readonly number[]): number {
  return percentile(values, 0.5)
}

function atMost(most: number) {
  return { of: 'value', atMost: most } as const
}
