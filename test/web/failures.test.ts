import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'
import { batch, database, forcePush } from './samples.ts'

// Shows: Request: submit always visible at 360×640, drafts that go on elsewhere; and what happens when something goes wrong under
// one's hands.
describe('the page when something goes wrong', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  it('reloads once when a part of it is gone after an upgrade, and shows an error when that does not help', async () => {
    const page = await site.visit({ worker: false })
    let gone = 0
    await page.route('**/assets/runs-*.js', route => {
      gone++
      // Three imports, and then the page with its newer parts.
      return gone <= 3 ? route.fulfill({ status: 404 }) : route.continue()
    })
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
    expect(gone).toBe(4)
    await page.route('**/assets/history-*.js', route => route.fulfill({ status: 404 }))
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('heading', { name: 'Something went wrong.' }).waitFor()
    await page.getByRole('button', { name: 'Reload' }).waitFor()
    // The rest of the page goes on.
    await page.getByRole('link', { name: 'Inbox', exact: true }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  it('loads a part again that was lost on its way, without a reload, and with its styles', async () => {
    const page = await site.visit({ worker: false })
    await page.evaluate('document.isFirst = true')
    const lost: string[] = []
    for (const part of ['**/assets/settings-*.js', '**/assets/settings-*.css']) {
      await page.route(
        part,
        route => {
          lost.push(part)
          return route.abort('failed')
        },
        { times: 1 },
      )
    }
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(lost).toHaveLength(2)
    expect(await page.evaluate('document.isFirst')).toBe(true)
    const styles = `[...document.querySelectorAll('link[rel="stylesheet"]')].map(link => link.sheet !== null)`
    expect(await page.evaluate(styles)).not.toContain(false)
  })

  it('keeps the form when what stands beside it cannot be loaded', async () => {
    const page = await site.visit({ worker: false })
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Alone?' }] })
    let lost = 0
    await page.route('**/assets/run-aside-*.js', route => {
      lost += 1
      return route.abort('failed')
    })
    await page.evaluate('document.isFirst = true')
    await page.getByRole('link', { name: /Alone/ }).first().click()
    await expect.poll(() => lost).toBeGreaterThan(2)
    await page.getByRole('textbox', { name: 'Alone?' }).fill('all the same')
    await page.getByText('Draft saved').waitFor()
    expect(await page.evaluate('document.isFirst')).toBe(true)
    expect((await site.hub.get(id)).status).toBe('pending')
  })

  it('gives an unsent answer back when someone else is first or the request ends', async () => {
    const { page, id } = await site.open(database)
    await page.getByRole('button', { name: 'Other…' }).click()
    await page.getByRole('textbox', { name: 'Your answer' }).fill('half a thought')
    await site.hub.decline(id, { reason: 'no', by: 'jun' })
    await page.getByText('Someone else answered first.').waitFor()
    expect(await page.locator('.lost-answer').textContent()).toBe('half a thought')
    const ended = await site.open({ questions: [{ question: 'Why?' }] })
    await ended.page.getByRole('textbox', { name: 'Why?' }).fill('because')
    await site.hub.cancel(ended.id)
    await ended.page.getByText('This request ended while you were writing.').waitFor()
    expect(await ended.page.locator('.lost-answer').textContent()).toBe('because')
  })

  it('gives nothing back when the same answer was sent from another screen', async () => {
    const { page, id } = await site.open({ questions: [{ question: 'Why so?' }] })
    await page.getByRole('textbox', { name: 'Why so?' }).fill('because of the weather')
    await site.hub.answer(id, { value: 'because of the weather', by: 'mina' })
    await page.getByRole('heading', { name: 'Answered' }).waitFor()
    const other = await site.open({ questions: [{ question: 'And this?' }] })
    await other.page.getByRole('textbox', { name: 'And this?' }).fill('perhaps')
    await site.hub.answer(other.id, { value: 'surely', by: 'mina' })
    await other.page.getByText('You already answered this elsewhere. Your unsent answer:').waitFor()
    // What would have come by now is not there.
    await expect.poll(() => page.locator('.outcome .notice').count()).toBe(0)
  })

  it('saves a draft again after a failure', async () => {
    const { page, id } = await site.open({ questions: [{ question: 'Why?' }] })
    let isDown = true
    await page.route('**/draft', route =>
      isDown && route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await page.getByRole('textbox', { name: 'Why?' }).fill('because')
    await page.getByText('Draft not saved').waitFor()
    isDown = false
    await page.getByText('Draft saved').waitFor()
    expect((await site.hub.drafts.get(id))?.answers).toMatchObject([{ text: 'because' }])
  })

  it('continues a batch at the first unanswered question', async () => {
    const { page, id } = await site.open(batch)
    await page.getByRole('button', { name: 'Seoul' }).click()
    await expect.poll(async () => (await site.hub.drafts.get(id))?.answers).toMatchObject([{ selected: ['Seoul'] }])
    const phone = await site.visit({ path: `/requests/${id}`, size: 'phone' })
    await phone.getByText('Question 2 of 4').waitFor()
    await phone.getByRole('button', { name: 'Back', exact: true }).click()
    await phone.locator('button[aria-pressed="true"]', { hasText: 'Seoul' }).waitFor()
  })

  it('settles nothing by a double tap on a button that asks for confirmation', async () => {
    const { page, id } = await site.open(
      { required: false, questions: [{ question: 'Which?', options: ['a', 'b'] }] },
      'phone',
    )
    const decline = page.getByRole('button', { name: 'Decline…' })
    await decline.dblclick()
    expect((await site.hub.get(id)).status).toBe('pending')
    const run = await site.hub.runs.start({ name: 'tapped', command: ['x'], cwd: '/srv' })
    const runPage = await site.visit({ path: `/runs/${run.id}`, size: 'phone' })
    await runPage.getByRole('button', { name: 'Stop…' }).dblclick()
    await runPage.getByRole('button', { name: 'Stop run' }).waitFor()
    expect((await site.hub.runs.get(run.id)).status).not.toBe('stopped')
    await site.hub.runs.change(run.id, { status: 'stopped' })
  })

  it('ignores the release of a held button over the request that opens under it', async () => {
    const options = ['one', 'two', 'three', 'four', 'five', 'six']
    const next = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Next one?', options }] })
    const { page, outcome } = await site.open(forcePush)
    await page.getByRole('button', { name: 'Hold to approve' }).hover()
    await page.mouse.down()
    await page.getByRole('heading', { name: 'Next one?' }).waitFor()
    await page.mouse.up()
    await outcome()
    expect(page.url()).toBe(`${site.url}/requests/${next.id}`)
    expect((await site.hub.get(next.id)).status).toBe('pending')
  })

  it('shrinks above the screen keyboard and keeps the send button visible', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), ...database, context: 'long '.repeat(2_000) })
    const page = await site.visit({ size: 'phone' })
    // A keyboard of 300 pixels, as an iPhone tells of it.
    await page.addInitScript(`
      const seen = Object.assign(new EventTarget(), { height: innerHeight, offsetTop: 0, scale: 1 })
      Object.defineProperty(window, 'visualViewport', { value: seen })
    `)
    await page.goto(`${site.url}/requests/${id}`)
    await page.getByRole('button', { name: 'Other…' }).click()
    await page.evaluate('visualViewport.height = 340; visualViewport.dispatchEvent(new Event("resize"))')
    const send = await page.getByRole('button', { name: 'Send' }).boundingBox()
    expect((send?.y ?? 0) + (send?.height ?? 0)).toBeLessThanOrEqual(340)
    const field = await page.getByRole('textbox', { name: 'Your answer' }).boundingBox()
    expect(field?.y).toBeLessThan(340)
    await page.evaluate('visualViewport.height = 640; visualViewport.dispatchEvent(new Event("resize"))')
    expect((await page.getByRole('button', { name: 'Send' }).boundingBox())?.y).toBeGreaterThan(500)
  })

  it('scrolls to the field with the problem', async () => {
    const options = [...Array(40).keys()].map(i => `option ${i}`)
    const { page } = await site.open({ questions: [{ question: 'Which?', options }] }, 'phone')
    await page.getByRole('radio', { name: 'option 39' }).scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: 'Send' }).click()
    const problem = page.getByRole('alert')
    await problem.waitFor()
    const box = await problem.boundingBox()
    expect(box?.y).toBeGreaterThan(0)
    expect(box?.y).toBeLessThan(580)
  })
})
