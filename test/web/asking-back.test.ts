import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, pressKey, requireChrome, type Site } from './fixture.ts'
import { database } from './samples.ts'

// Shows: a person who cannot decide yet asks back; the request stays open, and the agent's reply appears as its claim.
describe('asking back in the browser', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  it('sends a message by key C, settles nothing, and shows the reply as a claim, whatever it contains', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), canReply: true, ...database })
    const page = await site.visit({ path: `/requests/${id}` })
    await pressKey(page, 'c')
    const field = page.getByRole('textbox', { name: 'Message to claude-code' })
    expect(await field.inputValue()).toBe('')
    await page.keyboard.press('Control+Enter')
    expect(await page.getByRole('alert').textContent()).toBe('Write a message.')
    await field.fill('Does the nightly job write while people read?')
    await page.keyboard.press('Control+Enter')
    const messages = page.getByRole('region', { name: 'Messages' }).getByRole('listitem')
    await messages.filter({ hasText: /^mina/ }).getByText('Does the nightly job').waitFor()
    // The options are back, and nothing is decided.
    await page.getByRole('button', { name: /^SQLite/ }).waitFor()
    expect((await site.hub.get(id)).status).toBe('pending')
    expect(await site.hub.messages.unheard(id)).toMatchObject([{ from: 'person', by: 'mina' }])
    await site.hub.messages.send(id, { text: '<img src=x onerror=alert(1)>\u202e Yes.', as: 'agent' })
    const reply = messages.filter({ hasText: 'claude-code' })
    await reply.waitFor()
    expect(await reply.textContent()).toMatch(
      /^claude-codesays, uncheckednow<img src=x onerror=alert\(1\)>\\u202e Yes\.$/,
    )
    expect(await page.locator('.request h1').textContent()).toBe('Which database should the import use?')
    expect(page.notices.bad).toEqual([])
  })

  it('offers to decline with the message where the agent cannot reply', async () => {
    const { page, outcome } = await site.open({ canReply: false, ...database }, 'phone')
    await page.getByRole('button', { name: 'Ask back' }).click()
    await page.getByText('claude-code cannot reply here.').waitFor()
    await page.getByRole('textbox', { name: 'Message to claude-code' }).fill('which machine is it for?')
    const send = page.getByRole('button', { name: 'Decline with this message' })
    const box = await send.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(640)
    await send.click()
    expect(await outcome()).toMatchObject({ status: 'declined', reason: 'which machine is it for?' })
  })
})
