import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site, type Visit } from './fixture.ts'

const minute = 60_000
const day = 24 * 60 * minute

// The page would set its clock right by any answer of the server, also by one that was on its way when the test moved the clock.
const hideServerTime = `{
  const { get } = Headers.prototype
  Headers.prototype.get = function (name) { return name === 'date' ? null : get.call(this, name) }
}`

describe('times in the browser', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  /** A page whose clock the test controls. */
  async function visit(look: Visit) {
    const page = await site.visit(look)
    await page.addInitScript(hideServerTime)
    await page.clock.install()
    await page.reload()
    await page.locator('main').waitFor()
    return page
  }

  it('says when the first reminder comes, and that the request is overdue until it came', async () => {
    const { id } = await site.hub.raise({
      key: randomUUID(),
      questions: [{ question: 'Soon?' }],
      timeout: 10 * minute,
      onTimeout: 'remind',
    })
    const page = await visit({ path: `/requests/${id}` })
    const deadline = page.locator('.deadline')
    await deadline.waitFor()
    expect(await deadline.textContent()).toMatch(/^Reminder in (10|9)m/)
    await page.clock.fastForward(17 * minute)
    await expect.poll(() => deadline.textContent()).toMatch(/^Overdue for 7m/)
  })

  it('counts the last minute down by the second, and stops at the deadline', async () => {
    const { id } = await site.hub.raise({
      key: randomUUID(),
      questions: [{ question: 'At once?' }],
      timeout: 5 * minute,
      onTimeout: 'fail',
    })
    const page = await visit({ path: `/requests/${id}` })
    const deadline = page.locator('.deadline')
    await deadline.waitFor()
    const left = async () => Number(/in (\d+)s/.exec((await deadline.textContent()) ?? '')?.[1])
    await page.clock.fastForward(4 * minute + 20_000)
    await expect.poll(left).toBeGreaterThan(10)
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000)
    const before = await left()
    await page.clock.runFor(3_000)
    expect(await left()).toBe(before - 3)
    await page.clock.runFor(60_000)
    expect(await deadline.textContent()).toBe('Time is up. This request closes in a moment.')
    expect(await page.locator('.due').textContent()).toBe('expires any moment')
  })

  it("goes by the server's clock where the clock of the device is wrong", async () => {
    const { id } = await site.hub.raise({
      key: randomUUID(),
      questions: [{ question: 'When?' }],
      timeout: 50 * minute,
      onTimeout: 'fail',
    })
    const page = await site.visit({ path: `/requests/${id}` })
    await page.clock.install({ time: Date.now() + day })
    await page.reload()
    await expect.poll(() => page.locator('.deadline').textContent()).toMatch(/in (50|49)m/)
  })

  it('prints exact times, because a touch screen has no tooltips', async () => {
    const run = await site.hub.runs.start({ name: 'timed', command: ['timed'], cwd: '/srv' })
    const { id } = await site.hub.raise({ key: randomUUID(), run: run.id, questions: [{ question: 'When?' }] })
    await site.hub.answer(id, { value: 'now', by: 'jun' })
    await site.hub.runs.change(run.id, { status: 'completed' })
    const moment = /\w{3} \d+, \d{4}, \d+:\d\d/
    const page = await site.visit({ size: 'phone', path: `/requests/${id}` })
    await page.locator('.stages').waitFor()
    expect(await page.locator('.outcome .decided-by').textContent()).toMatch(moment)
    expect(await page.locator('.stages').textContent()).toMatch(/Settled \d+:\d\d:\d\d/)
    await page.goto(`${site.url}/runs/${run.id}`)
    await page.locator('.timeline', { hasText: 'Answered · jun' }).waitFor()
    expect(await page.locator('.about').textContent()).toMatch(/Started\w{3} \d+, \d{4}, \d+:\d\d/)
    expect(await page.locator('.timeline h3').first().textContent()).toMatch(/^\w{3} \d+, \d{4}$/)
  })

  it('shows the date of a request older than a week', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Old?' }] })
    await site.hub.answer(id, { value: 'yes' })
    const page = await visit({ path: '/history' })
    const time = page.locator('.history-list .row', { hasText: 'Old?' }).locator('time')
    await expect.poll(() => time.textContent()).toBe('now')
    await page.clock.fastForward(6 * day)
    await expect.poll(() => time.textContent()).toBe('6d ago')
    await page.clock.fastForward(2 * day)
    await expect.poll(() => time.textContent()).toMatch(/^\w{3} \d+(, \d{4})?$/)
  })
})
