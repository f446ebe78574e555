import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AskInput } from '../../src/protocol/index.ts'
import { chrome, openSite, pressKey, requireChrome, type Site, sendAtOnce, walk } from './fixture.ts'
import { apiKey, batch, database, destroyAll, forcePush, previews, review, schema, stash } from './samples.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

// Shows: Everyone: light and dark, WCAG 2.2 AA by axe, laptop and 360×640, keys (j, k, Enter, 1–9, ?), English, Korean, Chinese.
describe('the accessibility of the page', () => {
  let site: Site
  const places: string[] = ['/', '/runs', '/history', '/settings', '/nowhere/at/all']
  let question = ''
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
    const { hub } = site
    const run = await hub.runs.start({ name: 'nightly', command: ['python3', 'x.py'], cwd: '/srv/shop' })
    const deep: AskInput = { ...database, context: '### Deep\n\nin it\n\n##### Deeper\n\n# High again' }
    for (const input of [deep, database, batch, previews, apiKey, schema, stash, forcePush, destroyAll, review]) {
      const { id, kind } = await hub.raise({ key: randomUUID(), run: run.id, ...input })
      if (input === database) question = id
      places.push(`/requests/${id}`)
      if (kind === 'review') {
        const past = await hub.raise({ key: randomUUID(), questions: [{ question: 'Done?', options: ['yes', 'no'] }] })
        await hub.answer(past.id, { value: 'no', note: 'not yet' })
        places.push(`/requests/${past.id}`)
      }
    }
    places.push(`/runs/${run.id}`)
  })
  afterAll(() => site?.close())

  // Each size in both colours, and each language at every size or in both colours.
  const looks = [
    { colours: 'light', size: 'laptop', language: 'en-US' },
    { colours: 'dark', size: 'laptop', language: 'ko-KR' },
    { colours: 'light', size: 'wide', language: 'zh-CN' },
    { colours: 'dark', size: 'wide', language: 'en-US' },
    { colours: 'light', size: 'phone', language: 'ko-KR' },
    { colours: 'dark', size: 'phone', language: 'zh-CN' },
  ] as const

  it.each(looks)(
    'has no axe violation on any whole page, and none scrolls beyond itself: $colours, $size, $language',
    async look => {
      const page = await site.visit(look)
      await page.evaluate(axe)
      const violations: string[] = []
      for (const path of places) {
        await walk(page, path)
        const screen = page.viewportSize() ?? { width: 0, height: 0 }
        // The bar of a phone covers nothing then: what it covers is free once the person scrolls.
        if (look.size === 'phone') await page.setViewportSize({ ...screen, height: 3_000 })
        const found = await page.evaluate<string[]>(
          `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] }).then(({ violations }) =>
          violations.map(({ id, nodes }) => id + ': ' + nodes.map(node => node.html.slice(0, 150)).join(' | ')))`,
        )
        // The numbers of a line before and after are not the button's words.
        const real = found.filter(one => !/^label-content-name-mismatch: <button[^>]+diff-number/.test(one))
        violations.push(...real.map(one => `${path} ${one}`))
        await page.setViewportSize(screen)
        const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        expect(wider, `${path} is wider than the screen`).toBe(0)
        const longer = await page.evaluate('document.documentElement.scrollHeight - innerHeight')
        expect(longer, `${path} scrolls to a blank page`).toBe(0)
      }
      expect(violations).toEqual([])
      expect(page.notices.bad).toEqual([])
      await page.context().close()
    },
    120_000,
  )

  it('fits the verbs on half of a phone: thumb-high, in view, legible and without keys', async () => {
    const page = await site.visit({ size: 'phone' })
    for (const path of places) {
      await walk(page, path)
      if (path.startsWith('/requests/')) await page.locator('.decision-bar, .outcome').first().waitFor()
      const wrong = await page.evaluate<string[]>(`[...document.querySelectorAll('body *')].flatMap(one => {
        if (!one.checkVisibility()) return []
        const { top, bottom, height, width } = one.getBoundingClientRect(), wrong = []
        const words = [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== '') && width > 1
        if (words && parseFloat(getComputedStyle(one).fontSize) < 12) wrong.push('tiny')
        if (one.matches('button:not(.diff-number), select, summary, .option, a.row, nav a') && height < 44) wrong.push('low')
        if (one.matches('kbd, .key')) wrong.push('key')
        if (one.matches('.decision-bar') && height > 350) wrong.push('tall')
        if (one.matches('.decision-end > button, .decision-verbs > button') && (top < 0 || bottom > 640)) wrong.push('hidden')
        return wrong.map(what => what + ': ' + one.outerHTML.slice(0, 150))
      })`)
      expect(wrong, path).toEqual([])
    }
    await page.context().close()
  })

  it('opens, answers and asks for help with the keyboard alone', async () => {
    const { id } = await site.hub.raise({
      key: randomUUID(),
      agent: { name: 'keys' },
      questions: [{ question: 'By keys?', options: ['yes', 'no'] }],
    })
    const page = await site.visit()
    await page.locator('.row', { hasText: 'By keys?' }).waitFor()
    // What is urgent comes first and is open; the keys go down to it and back, and the title has the focus.
    const title = () => page.evaluate<string>('document.activeElement?.textContent ?? ""')
    const open = page.locator('.row[aria-current]')
    await open.waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await open.filter({ hasText: 'terraform destroy' }).waitFor()
    for (let i = 0; i < 20 && !(await open.textContent())?.includes('By keys?'); i++) await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'By keys?' }).waitFor()
    await expect.poll(title).toContain('By keys?')
    await pressKey(page, '1')
    await sendAtOnce(page)
    expect((await site.hub.wait(id, { for: 10_000 })).outcome?.answers).toMatchObject([{ selected: ['yes'] }])
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('does not treat letters in a text field as shortcuts', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Write?' }] })
    const page = await site.visit({ path: `/requests/${id}` })
    await page.getByRole('textbox', { name: 'Write?' }).pressSequentially('jk1?n')
    expect(await page.getByRole('textbox', { name: 'Write?' }).inputValue()).toBe('jk1?n')
    expect(page.url()).toBe(`${site.url}/requests/${id}`)
    await page.context().close()
  })

  it('breaks no word of a command in the list', async () => {
    const page = await site.visit({ size: 'phone' })
    await page.locator('.row', { hasText: 'git push --force' }).waitFor()
    // Words on two lines: a flag without its dashes is another flag.
    const folded = await page.evaluate<string[]>(`[...document.querySelectorAll('.inbox .row-title.mono .word')]
      .filter(one => one.textContent.length < 24 && one.getClientRects().length > 1).map(one => one.textContent)`)
    expect(folded).toEqual([])
    await page.context().close()
  })

  it('breaks Korean text between words', async () => {
    const page = await site.visit({ size: 'phone', language: 'ko-KR', path: '/settings' })
    await page.getByRole('heading', { name: '설정' }).waitFor()
    // Two letters of one word on two lines.
    const folded = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('main p, main label span')].flatMap(one => {
      const text = one.firstChild?.nodeType === 3 ? one.firstChild : null
      const top = i => {
        const range = document.createRange()
        range.setStart(text, i)
        range.setEnd(text, i + 1)
        return range.getBoundingClientRect().top
      }
      const letters = [...(text?.data ?? '').matchAll(/[가-힣](?=[가-힣])/g)]
      return letters.some(({ index }) => top(index) !== top(index + 1)) ? [text.data] : []
    })`)
    expect(folded).toEqual([])
    expect(await page.evaluate('document.querySelectorAll("main label span").length')).toBeGreaterThan(3)
    await page.context().close()
  })

  it.each([
    ['ko-KR', '받은 요청', '설정', 'ko'],
    ['zh-CN', '收件箱', '设置', 'zh-CN'],
    ['fr-FR', 'Inbox', 'Settings', 'en'],
  ])('uses the language of the browser: %s', async (language, inbox, settings, lang) => {
    const page = await site.visit({ language, path: `/requests/${question}` })
    await page.getByRole('heading', { name: inbox }).waitFor()
    await page.getByRole('link', { name: settings }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe(lang)
    await page.context().close()
  })
})
