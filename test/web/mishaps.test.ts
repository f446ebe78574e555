import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, type House, needsChrome, openHouse } from './house.ts'
import { batch, database, forcePush } from './samples.ts'

// Shows: Request: submit always visible at 360×640, drafts that go on elsewhere; and what happens when something goes wrong under
// one's hands.
describe('the page in hard moments', () => {
  let house: House
  beforeEach(needsChrome)
  beforeAll(async () => {
    if (!chrome) return
    house = await openHouse()
  })
  afterEach(() => house?.leave())
  afterAll(() => house?.close())

  it('loads itself anew when a part of it is gone, as after an upgrade, and says so where that does not help', async () => {
    const page = await house.visit()
    let gone = 0
    await page.route('**/assets/runs-*.js', route => {
      gone++
      return gone === 1 ? route.fulfill({ status: 404 }) : route.continue()
    })
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
    expect(gone).toBe(2)
    await page.route('**/assets/history-*.js', route => route.fulfill({ status: 404 }))
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('heading', { name: 'Something went wrong.' }).waitFor()
    await page.getByRole('button', { name: 'Reload' }).waitFor()
    // The rest of the page goes on.
    await page.getByRole('link', { name: 'Inbox', exact: true }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  it('gives back what one had begun when somebody else is first, or it ends', async () => {
    const { page, id } = await house.open(database)
    await page.getByRole('radio', { name: 'Other…' }).check()
    await page.getByRole('textbox', { name: 'Your own answer' }).fill('half a thought')
    await house.hub.decline(id, { reason: 'no', by: 'jun' })
    await page.getByText('Somebody else was first.').waitFor()
    expect(await page.locator('.own-words').textContent()).toBe('half a thought')
    const ended = await house.open({ questions: [{ question: 'Why?' }] })
    await ended.page.getByRole('textbox', { name: 'Why?' }).fill('because')
    await house.hub.cancel(ended.id)
    await ended.page.getByText('It ended while you were writing.').waitFor()
    expect(await ended.page.locator('.own-words').textContent()).toBe('because')
  })

  it('gives nothing back where what was begun here was sent from another screen', async () => {
    const { page, id } = await house.open({ questions: [{ question: 'Why so?' }] })
    await page.getByRole('textbox', { name: 'Why so?' }).fill('because of the weather')
    await house.hub.answer(id, { value: 'because of the weather', by: 'mina' })
    await page.getByRole('heading', { name: 'Answered' }).waitFor()
    const other = await house.open({ questions: [{ question: 'And this?' }] })
    await other.page.getByRole('textbox', { name: 'And this?' }).fill('perhaps')
    await house.hub.answer(other.id, { value: 'surely', by: 'mina' })
    await other.page.getByText('You settled it elsewhere. What you had begun:').waitFor()
    // What would have come by now is not there.
    await expect.poll(() => page.locator('.outcome .notice').count()).toBe(0)
  })

  it('tries again to keep a draft that could not be saved', async () => {
    const { page, id } = await house.open({ questions: [{ question: 'Why?' }] })
    let isDown = true
    await page.route('**/draft', route =>
      isDown && route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await page.getByRole('textbox', { name: 'Why?' }).fill('because')
    await page.getByText('Draft not saved').waitFor()
    isDown = false
    await page.getByText('Draft saved').waitFor()
    expect((await house.hub.drafts.get(id))?.answers).toMatchObject([{ text: 'because' }])
  })

  it('goes on with a batch where it was left', async () => {
    const { page, id } = await house.open(batch)
    await page.getByRole('radio', { name: 'Seoul' }).check()
    await page.getByText('Draft saved').waitFor()
    const phone = await house.visit({ path: `/requests/${id}`, size: 'phone' })
    await phone.getByRole('heading', { name: 'Question 2 of 4' }).waitFor()
    await phone.getByRole('button', { name: 'Back' }).click()
    expect(await phone.getByRole('radio', { name: 'Seoul' }).isChecked()).toBe(true)
  })

  it('settles nothing by a double tap on what only asks', async () => {
    const { page, id } = await house.open(
      { required: false, questions: [{ question: 'Which?', options: ['a', 'b'] }] },
      'phone',
    )
    const decline = page.getByRole('button', { name: 'Decline…' })
    await decline.tap()
    await decline.tap()
    await decline.dblclick()
    expect((await house.hub.get(id)).status).toBe('pending')
    const run = await house.hub.runs.start({ name: 'tapped', command: ['x'], cwd: '/srv' })
    const runPage = await house.visit({ path: `/runs/${run.id}`, size: 'phone' })
    await runPage.getByRole('button', { name: 'Stop…' }).dblclick()
    await runPage.getByRole('button', { name: 'Stop it for good' }).waitFor()
    expect((await house.hub.runs.get(run.id)).status).not.toBe('stopped')
    await house.hub.runs.change(run.id, { status: 'stopped' })
  })

  it('lets the finger that held a button press nothing that comes under it', async () => {
    await house.hub.raise({ key: randomUUID(), questions: [{ question: 'Next one?' }] })
    const { page, id, outcome } = await house.open(forcePush)
    await page.getByRole('button', { name: 'Hold to run it' }).hover()
    await page.mouse.down()
    await outcome()
    const next = page.getByRole('link', { name: /^Next:/ })
    await next.waitFor()
    // As a browser does on release: the click goes to what lies there now.
    await next.dispatchEvent('click')
    await page.mouse.up()
    expect(page.url()).toBe(`${house.url}/requests/${id}`)
    await page.getByRole('heading', { name: 'Answered' }).waitFor()
  })

  it('is only as tall as what the screen keyboard leaves of it, with what sends in sight', async () => {
    const { id } = await house.hub.raise({ key: randomUUID(), ...database, context: 'long '.repeat(2_000) })
    const page = await house.visit({ size: 'phone' })
    // A keyboard of 300 pixels, as an iPhone tells of it.
    await page.addInitScript(`
      const seen = Object.assign(new EventTarget(), { height: innerHeight, offsetTop: 0, scale: 1 })
      Object.defineProperty(window, 'visualViewport', { value: seen })
    `)
    await page.goto(`${house.url}/requests/${id}`)
    await page.getByRole('radio', { name: 'Other…' }).check()
    await page.evaluate('visualViewport.height = 340; visualViewport.dispatchEvent(new Event("resize"))')
    const send = await page.getByRole('button', { name: 'Send' }).boundingBox()
    expect((send?.y ?? 0) + (send?.height ?? 0)).toBeLessThanOrEqual(340)
    const field = await page.getByRole('textbox', { name: 'Your own answer' }).boundingBox()
    expect(field?.y).toBeLessThan(340)
    await page.evaluate('visualViewport.height = 640; visualViewport.dispatchEvent(new Event("resize"))')
    expect((await page.getByRole('button', { name: 'Send' }).boundingBox())?.y).toBeGreaterThan(500)
  })

  it('says where the problem is, and brings it into sight', async () => {
    const options = [...Array(40).keys()].map(i => `option ${i}`)
    const { page } = await house.open({ questions: [{ question: 'Which?', options }] }, 'phone')
    await page.getByRole('radio', { name: 'option 39' }).scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: 'Send' }).click()
    const problem = page.getByRole('alert')
    await problem.waitFor()
    const box = await problem.boundingBox()
    expect(box?.y).toBeGreaterThan(0)
    expect(box?.y).toBeLessThan(580)
  })
})
