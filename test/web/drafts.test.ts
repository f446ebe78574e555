import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site, sendAtOnce } from './fixture.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')
// Several may be chosen, so that choosing is not yet answering.
const database = { questions: [{ question: 'Which databases?', options: ['PostgreSQL', 'SQLite'], multiSelect: true }] }

describe('drafts of two people', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  /** A page of somebody else: mina is the one who started the server. */
  async function visitAs(user: string, path: string, locale = 'en-US'): Promise<Page> {
    const env = { ...process.env, ...site.env, BECKON_USER: user }
    const link = execFileSync(process.execPath, [launcher, 'token', 'link', '--url', site.url], {
      env,
      encoding: 'utf8',
    })
    const page = await site.stranger(locale)
    await page.goto(link.trim())
    await page.getByRole('navigation').first().waitFor()
    await page.goto(`${site.url}${path}`)
    return page
  }

  const isChecked = (page: Page) => page.evaluate('document.querySelector("input:checked") !== null')

  it('keeps what was typed last, even if the page is opened again before the hub has it', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Why?' }] })
    const page = await site.visit({ path: `/requests/${id}`, worker: false })
    const field = page.getByRole('textbox', { name: 'Why?' })
    await field.fill('because')
    await page.getByText('Draft saved').waitFor()
    await page.route('**/draft', route => route.abort())
    await field.pressSequentially(' of cost')
    await page.getByText('Draft saved').waitFor({ state: 'detached' })
    await page.reload()
    await page.unroute('**/draft')
    await expect.poll(() => field.inputValue()).toBe('because of cost')
    await page.getByText('Draft saved').waitFor()
    expect((await site.hub.drafts.all(id)).own?.answers).toMatchObject([{ text: 'because of cost' }])
  })

  it('says Draft saved of all that is typed, not of an earlier part', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'And why?' }] })
    const page = await site.visit({ path: `/requests/${id}`, worker: false })
    const field = page.getByRole('textbox', { name: 'And why?' })
    const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let sent = 0
    await page.route('**/draft', async route => {
      sent += 1
      await held[sent - 1]?.promise
      await route.continue()
    })
    await field.fill('because')
    await expect.poll(() => sent).toBe(1)
    await field.pressSequentially(' of cost')
    held[0]?.resolve()
    await expect.poll(() => sent).toBe(2)
    expect(await page.getByText('Draft saved').count()).toBe(0)
    held[1]?.resolve()
    await page.getByText('Draft saved').waitFor()
    expect((await site.hub.drafts.all(id)).own?.answers).toMatchObject([{ text: 'because of cost' }])
  })

  it("offers another person's draft by name and fills in nothing of it", async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), ...database })
    const mina = await site.visit({ path: `/requests/${id}` })
    await mina.getByRole('checkbox', { name: 'SQLite' }).check()
    await mina.getByText('Draft saved').waitFor()
    const jun = await visitAs('jun', `/requests/${id}`)
    await jun.locator('.draft-offer', { hasText: /mina began this · now/ }).waitFor()
    await jun.locator('.draft-offer', { hasText: 'SQLite' }).waitFor()
    expect(await isChecked(jun)).toBe(false)
    // What jun chooses is jun's, and what mina began stays hers.
    await jun.getByRole('checkbox', { name: 'PostgreSQL' }).check()
    await jun.getByText('Draft saved').waitFor()
    await mina.reload()
    await mina.locator('.draft-offer', { hasText: 'jun began this' }).waitFor()
    expect(await mina.getByRole('checkbox', { name: 'SQLite' }).isChecked()).toBe(true)
    expect(await site.hub.drafts.all(id)).toMatchObject({
      own: { by: 'mina', answers: [{ selected: ['SQLite'] }] },
      others: [{ by: 'jun', answers: [{ selected: ['PostgreSQL'] }] }],
    })
  })

  it('fills it in when the person wants it, and out again', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Why?' }] })
    await site.hub.drafts.save(id, { answers: [{ id: 'q1', text: 'because of cost' }], by: 'jun' })
    const page = await site.visit({ path: `/requests/${id}` })
    const field = page.getByRole('textbox', { name: 'Why?' })
    await field.fill('hm')
    await page.getByRole('button', { name: 'Use', exact: true }).click()
    await expect.poll(() => field.inputValue()).toBe('because of cost')
    await page.getByText("Filled in from jun's draft").waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => field.inputValue()).toBe('hm')
    await page.getByRole('button', { name: 'Use', exact: true }).click()
    await field.pressSequentially('s')
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send' }).click()
    await sendAtOnce(page)
    expect((await site.hub.wait(id, { for: 10_000 })).outcome).toMatchObject({
      by: 'mina',
      answers: [{ text: 'because of costs' }],
    })
  })

  it('does not offer a discarded one again, and its author keeps it', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Why?' }] })
    await site.hub.drafts.save(id, { answers: [{ id: 'q1', text: 'because of cost' }], by: 'jun' })
    const page = await site.visit({ path: `/requests/${id}` })
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.locator('.draft-offer').waitFor({ state: 'detached' })
    await expect.poll(async () => (await site.hub.drafts.all(id)).others).toEqual([])
    await page.reload()
    await page.getByRole('textbox', { name: 'Why?' }).waitFor()
    expect(await page.locator('.draft-offer').count()).toBe(0)
    const jun = await visitAs('jun', `/requests/${id}`)
    await expect.poll(() => jun.getByRole('textbox', { name: 'Why?' }).inputValue()).toBe('because of cost')
  })

  it("never approves another person's version of a command as one's own", async () => {
    const action = { command: 'rm -rf ./build', cwd: '/srv/shop', digest: 'd', severity: 'high' as const }
    const { id } = await site.hub.raise({ kind: 'approval', action })
    await site.hub.drafts.save(id, {
      answers: [{ id: 'approval', selected: ['yes'], text: 'git push --force origin main', own: false }],
      by: 'jun',
    })
    const page = await site.visit({ path: `/requests/${id}` })
    await page.locator('.draft-offer', { hasText: 'git push --force origin main' }).waitFor()
    // The original command is what a yes is for, and it takes the gesture.
    await page.getByRole('button', { name: 'Hold to approve' }).click()
    expect(await page.getByText('Command to run instead').count()).toBe(0)
    expect((await site.hub.get(id)).status).toBe('pending')
    await page.getByRole('button', { name: 'Use', exact: true }).click()
    await page.getByText('Command to run instead').waitFor()
    await page.getByRole('button', { name: 'Hold to approve' }).click()
    expect((await site.hub.get(id)).status).toBe('pending')
  })

  it('shows hostile names and texts as text', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Why?' }] })
    await site.hub.drafts.save(id, {
      answers: [{ id: 'q1', text: '<img src=x onerror=alert(1)>\u202e' }],
      by: '<b>jun</b>\u202e',
    })
    const page = await site.visit({ path: `/requests/${id}` })
    await page.locator('.draft-offer', { hasText: '<b>jun</b>' }).waitFor()
    await page.locator('.draft-offer', { hasText: '<img src=x onerror=alert(1)>' }).waitFor()
    expect(await page.locator('.draft-offer').textContent()).not.toContain('\u202e')
    expect(page.notices.bad).toEqual([])
  })

  it.each([
    ['ko-KR', 'mina님이 작성을 시작함', '사용'],
    ['zh-CN', 'mina 已开始填写', '使用'],
  ])('offers it in %s', async (language, offer, use) => {
    const { id } = await site.hub.raise({ key: randomUUID(), ...database })
    await site.hub.drafts.save(id, { answers: [{ id: 'q1', selected: ['SQLite'] }] })
    const page = await visitAs('jun', `/requests/${id}`, language)
    await page.locator('.draft-offer', { hasText: offer }).waitFor()
    await page.getByRole('button', { name: use, exact: true }).waitFor()
  })
})
