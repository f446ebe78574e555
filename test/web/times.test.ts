import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, type House, needsChrome, openHouse, type Visit } from './house.ts'

const minute = 60_000
const day = 24 * 60 * minute

describe('times in the browser', () => {
  let house: House
  beforeEach(needsChrome)
  beforeAll(async () => {
    if (!chrome) return
    house = await openHouse()
  })
  afterEach(() => house?.leave())
  afterAll(() => house?.close())

  /** A page whose clock the test winds. */
  async function visit(look: Visit) {
    const page = await house.visit(look)
    await page.clock.install()
    await page.reload()
    await page.locator('main').waitFor()
    return page
  }

  it('says when one was reminded, and when one is again', async () => {
    const { id } = await house.hub.raise({
      key: randomUUID(),
      questions: [{ question: 'Soon?' }],
      timeout: 10 * minute,
      onTimeout: 'remind',
    })
    const page = await visit({ path: `/requests/${id}` })
    const deadline = page.locator('.deadline')
    await deadline.waitFor()
    expect(await deadline.textContent()).toMatch(/^A reminder comes in (10|9)m/)
    await page.clock.fastForward(17 * minute)
    await expect.poll(() => deadline.textContent()).toMatch(/^A reminder came 7m ago\. Another comes in 3m \(.*\d:\d\d/)
  })

  it('counts the last minute by the second, and does not go on when it is over', async () => {
    const { id } = await house.hub.raise({
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
    expect(await deadline.textContent()).toBe('Its time is up; it ends any moment.')
    expect(await page.locator('.due').textContent()).toBe('expires any moment')
  })

  it('prints the moment itself, where a finger has no longer look', async () => {
    const run = await house.hub.runs.start({ name: 'timed', command: ['timed'], cwd: '/srv' })
    const { id } = await house.hub.raise({ key: randomUUID(), run: run.id, questions: [{ question: 'When?' }] })
    await house.hub.answer(id, { value: 'now', by: 'jun' })
    await house.hub.runs.change(run.id, { status: 'completed' })
    const moment = /\w{3} \d+, \d{4}, \d+:\d\d/
    const page = await house.visit({ size: 'phone', path: `/requests/${id}` })
    await page.locator('.stages').waitFor()
    expect(await page.locator('.outcome .who').textContent()).toMatch(moment)
    expect(await page.locator('.stages').textContent()).toMatch(/Settled \d+:\d\d:\d\d/)
    await page.goto(`${house.url}/runs/${run.id}`)
    await page.locator('.timeline', { hasText: 'Answered · jun' }).waitFor()
    expect(await page.locator('.about').textContent()).toMatch(/Started\w{3} \d+, \d{4}, \d+:\d\d/)
    expect(await page.locator('.timeline h3').first().textContent()).toMatch(/^\w{3} \d+, \d{4}$/)
  })

  it('names the day of what is older than a week', async () => {
    const { id } = await house.hub.raise({ key: randomUUID(), questions: [{ question: 'Old?' }] })
    await house.hub.answer(id, { value: 'yes' })
    const page = await visit({ path: '/history' })
    const time = page.locator('.past .row', { hasText: 'Old?' }).locator('time')
    await expect.poll(() => time.textContent()).toBe('now')
    await page.clock.fastForward(6 * day)
    await expect.poll(() => time.textContent()).toBe('6d ago')
    await page.clock.fastForward(2 * day)
    await expect.poll(() => time.textContent()).toMatch(/^\w{3} \d+(, \d{4})?$/)
  })
})
