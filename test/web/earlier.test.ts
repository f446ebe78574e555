import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, pressKey, requireChrome, type Site } from './fixture.ts'
import { database } from './samples.ts'

// Shows: what was answered last time, with one key to answer the same; always answering so, with an expiry; the rule in Settings.
describe('earlier answers in the browser', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  async function answered(value: string, by = 'mina') {
    const { id } = await site.hub.raise({ ...database, key: randomUUID() })
    await site.hub.answer(id, { value, by })
  }

  it('shows the last answers, takes the last one again by key, and makes a rule that Settings lists', async () => {
    await answered('PostgreSQL', 'minsu')
    await answered('SQLite')
    const first = await site.open(database)
    const earlier = first.page.getByRole('complementary', { name: 'Earlier answers' })
    await expect
      .poll(() => earlier.textContent())
      .toMatch(/^Last time: SQLite \(you, .+\)Answer the same.*PostgreSQL \(minsu/)
    await pressKey(first.page, 'l')
    expect(await first.outcome()).toMatchObject({ answers: [{ selected: ['SQLite'] }], by: 'mina', channel: 'web' })

    const { page, outcome } = await site.open(database)
    await earlierIn(page).getByText('Always answer so…').click()
    await earlierIn(page).getByLabel('For').selectOption('7 days')
    await earlierIn(page).getByRole('button', { name: 'Always answer “SQLite”' }).click()
    expect(await outcome()).toMatchObject({ always: 'answer' })
    const ruled = await site.hub.raise({ ...database, key: randomUUID() })
    expect(ruled.outcome).toMatchObject({ answers: [{ selected: ['SQLite'] }], by: 'mina', channel: 'rule' })

    const settings = await site.visit({ path: '/settings' })
    const rule = settings.getByRole('listitem').filter({ hasText: '“SQLite” to “' })
    await rule.getByRole('button', { name: /Remove/ }).click()
    await settings.getByRole('button', { name: /Remove rule/ }).click()
    await rule.waitFor({ state: 'detached' })
    expect((await site.hub.raise({ ...database, key: randomUUID() })).status).toBe('pending')
    expect([...page.notices.bad, ...settings.notices.bad]).toEqual([])
  })

  it('offers no rule where the context differs from asking to asking, and never for other kinds', async () => {
    await answered('SQLite')
    const { page } = await site.open({ ...database, context: 'Another one.' })
    await earlierIn(page).getByText('Last time:').waitFor()
    expect(await earlierIn(page).getByText('Always answer so…').count()).toBe(0)
    const approval = await site.open({ kind: 'approval', action: { command: 'make', cwd: '/srv' } })
    await approval.page.getByRole('heading', { name: 'Approval' }).waitFor()
    expect(await earlierIn(approval.page).count()).toBe(0)
  })

  const earlierIn = (page: Awaited<ReturnType<Site['visit']>>) =>
    page.getByRole('complementary', { name: 'Earlier answers' })
})
