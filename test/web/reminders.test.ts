import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../cli/sandbox.ts'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'

describe('a reminder reaches the open pages', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  function ask(timeout: number) {
    const questions = [{ question: 'Why?' }]
    return site.hub.raise({ key: randomUUID(), questions, timeout, onTimeout: 'remind' })
  }

  const typed = (page: Page) => page.evaluate('document.querySelector("textarea").value')

  it('shows it on the open request and leaves what the person types alone', async () => {
    const { id } = await ask(4_000)
    const page = await site.visit({ path: `/requests/${id}` })
    const field = page.getByRole('textbox', { name: 'Why?' })
    await field.pressSequentially('because')
    await page.locator('.deadline', { hasText: /^Reminder · waiting for \d+s · Next reminder / }).waitFor()
    expect(await typed(page)).toBe('because')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    await page.keyboard.type(' of cost')
    expect(await typed(page)).toBe('because of cost')
    expect(page.notices.bad).toEqual([])
  })

  it('shows it in the list, and announces it to screen readers', async () => {
    await ask(2_000)
    const page = await site.visit({ size: 'phone' })
    const row = page.locator('a.row', { hasText: 'Why?' })
    await row.locator('.due', { hasText: /^Overdue for \d+s$/ }).waitFor()
    await page.locator('output[aria-live]', { hasText: /^Reminder · waiting for \d+s: Why\?$/ }).waitFor()
  })

  it.each([
    ['ko-KR', /^알림 · \d+초 동안 기다림/, /^기한이 \d+초 지남$/],
    ['zh-CN', /^提醒 · 已等待 \d+秒/, /^已逾期 \d+秒$/],
  ])('says so in %s', async (language, open, row) => {
    const { id } = await ask(200)
    await until(async () => (await site.hub.get(id)).remindAt !== undefined, 'the reminder')
    const page = await site.visit({ path: `/requests/${id}`, language })
    await page.locator('.deadline', { hasText: open }).waitFor()
    await page.locator('a.row .due', { hasText: row }).waitFor()
  })
})
