import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AskInput } from '../../src/protocol/index.ts'
import { chrome, openSite, requireChrome, type Site, sendAtOnce, walk } from './fixture.ts'

// Every text that an agent can set, filled with attempts to be more than text.
const corpus = [
  // First, so that it is in the short ones, too.
  '\u202egnp.exe\u202c \u200bzero\ufeffwidth \u2066iso\u2069 \u0007bell \u001b[31mred',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '"><iframe srcdoc="<script>parent.alert(1)</script>">',
  "'-alert(1)-'",
  '{{constructor.constructor("alert(1)")()}}',
  '[click](javascript:alert(1))',
  '[click](JaVaScRiPt&colon;alert(1))',
  '[click](data:text/html,<script>alert(1)</script>)',
  '[click](vbscript:msgbox(1))',
  '![picture](https://evil.example/pixel.png)',
  '[ref]: https://evil.example "hidden"',
  '<https://evil.example/auto>',
  '<style>@import url(https://evil.example/x.css);*{display:none}</style>',
  '<link rel=stylesheet href=https://evil.example/y.css>',
  '<base href=https://evil.example/>',
  '<form action=https://evil.example><button>go</button></form>',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '```html\n<script>alert(1)</script>\n```',
  '| a | b |\n|---|---|\n| <img src=x onerror=alert(1)> | [x](javascript:alert(1)) |',
]
const everything = corpus.join('\n\n')
const line = corpus.map(text => text.replaceAll('\n', ' ')).join(' ')

const hostile: AskInput[] = [
  {
    context: everything,
    agent: { name: line.slice(0, 190), cwd: line.slice(0, 3_000), path: [line.slice(0, 190), line.slice(100, 290)] },
    questions: [
      {
        header: line.slice(0, 190),
        question: everything,
        options: corpus.map(text => ({ label: text, description: everything, preview: everything })),
        allowOther: true,
      },
      { header: '<b>two</b>', question: `2 ${everything}` },
    ],
  },
  {
    kind: 'dependency',
    type: 'file',
    name: line.slice(0, 190),
    description: everything,
    context: everything,
  },
  {
    kind: 'approval',
    context: everything,
    action: {
      command: everything,
      cwd: `/${line.slice(0, 3_000).replaceAll(/\.{1,2}\/|\/\//g, ' ')}`,
      digest: 'x',
      severity: 'critical',
      reasons: corpus.map((text, i) => ({ rule: line.slice(i, i + 100), message: text, span: [i * 7, 1_000_000_000] })),
      safer: everything,
    },
  },
  { kind: 'review', phase: line.slice(0, 190), title: everything, files: corpus, context: everything },
]

// Shows: XSS corpus in every text an agent can set: nothing executes, nothing hides.
describe('text from an agent', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  it('is shown as plain text on every page', async () => {
    const run = await site.hub.runs.start({
      name: line.slice(0, 190),
      command: corpus,
      cwd: line.slice(0, 3_000),
      host: line.slice(0, 190),
    })
    await site.hub.runs.change(run.id, { error: everything })
    const requests = []
    for (const input of hostile) requests.push(await site.hub.raise({ key: randomUUID(), run: run.id, ...input }))
    const settled = await site.hub.raise({ key: randomUUID(), questions: [{ question: everything }] })
    await site.hub.answer(settled.id, {
      answers: [{ text: everything, note: everything }],
      note: everything,
      by: line.slice(0, 190),
      channel: line.slice(0, 190),
    })
    const places = [
      '/',
      '/runs',
      `/runs/${run.id}`,
      '/history',
      ...[...requests, settled].map(({ id }) => `/requests/${id}`),
    ]
    const page = await site.visit()
    for (const path of places) {
      await walk(page, path)
      expect(await intruders(page), path).toEqual([])
      expect(await hidden(page), path).toEqual([])
    }
    expect(page.notices.bad).toEqual([])
    await site.hub.runs.change(run.id, { status: 'stopped' })
  })

  it('links only to web and mail addresses, which it shows, and opens them in a new tab', async () => {
    const context =
      '[the docs](https://docs.example/a?b=c) [mail](mailto:a@b.example) [bad](javascript:alert(1)) [here](/settings)'
    const { id } = await site.hub.raise({ key: randomUUID(), context, questions: [{ question: 'Well?' }] })
    const page = await site.visit({ path: `/requests/${id}` })
    const links = page.locator('.markdown a')
    await links.first().waitFor()
    expect(await links.evaluateAll(all => all.map(link => link.getAttribute('href')))).toEqual([
      'https://docs.example/a?b=c',
      'mailto:a@b.example',
    ])
    expect(await links.first().getAttribute('rel')).toContain('noopener')
    expect(await links.first().textContent()).toBe('the docs (https://docs.example/a?b=c)')
    expect(await page.locator('.markdown .no-link').allTextContents()).toEqual([
      'bad (javascript:alert(1))',
      'here (/settings)',
    ])
  })

  it('is shown with its hidden characters', async () => {
    const command = 'rm\u00a0-rf \u202eoot/\u202c build\u200b\u2028x'
    const { id } = await site.hub.raise({
      key: randomUUID(),
      kind: 'approval',
      context: 'see &#x202e;this&#8203;',
      action: { command, cwd: '/w', digest: 'x', severity: 'low' },
    })
    const page = await site.visit({ path: `/requests/${id}` })
    await page.locator('.markdown .hidden-char').first().waitFor()
    const shown = await page.locator('.command pre').textContent()
    expect(shown?.trim()).toBe('rm\\u00a0-rf \\u202eoot/\\u202c build\\u200b\\u2028x')
    expect(await page.locator('.markdown .hidden-char').allTextContents()).toEqual(['\\u202e', '\\u200b'])
  })

  it('cannot slow the page down or push the answer out of view', async () => {
    const context = `${'>'.repeat(20_000)} x\n\n${'*a'.repeat(50_000)}\n\n${'[x]('.repeat(20_000)}\n\n${'word '.repeat(20_000)}`
    const { id } = await site.hub.raise({
      key: randomUUID(),
      context,
      questions: [{ question: 'x'.repeat(10_000), options: ['a'.repeat(1_000), 'b'] }],
    })
    const page = await site.visit({ path: `/requests/${id}`, size: 'phone' })
    await page.getByRole('radio', { name: 'b', exact: true }).check()
    await page.getByRole('button', { name: 'Send' }).click()
    await sendAtOnce(page)
    expect((await site.hub.wait(id, { for: 10_000 })).status).toBe('answered')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })
})

/** Elements that our pages never contain, and attributes that run something. */
function intruders(page: Awaited<ReturnType<Site['visit']>>): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('#root *')].flatMap(element => {
    const bad = ['SCRIPT', 'IMG', 'IFRAME', 'STYLE', 'LINK', 'BASE', 'META', 'OBJECT', 'EMBED'].includes(element.tagName)
    const does = element.getAttributeNames().filter(name => /^on/i.test(name))
    const to = element.getAttribute('href') ?? ''
    const leads = /^(javascript|data|vbscript):/i.test(to.trim())
    return bad || does.length > 0 || leads ? [element.outerHTML.slice(0, 200)] : []
  })`)
}

/** Characters that change how text reads, anywhere on the page or in its labels. */
function hidden(page: Awaited<ReturnType<Site['visit']>>): Promise<string[]> {
  return page.evaluate(`(() => {
    const odd = /[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\ufeff]/
    const texts = [document.title, document.body.innerText, document.body.textContent]
    const said = [...document.querySelectorAll('#root *')].flatMap(element =>
      ['aria-label', 'title', 'placeholder', 'alt'].map(name => element.getAttribute(name) ?? ''))
    return [...texts, ...said].filter(text => odd.test(text)).map(text => text.slice(Math.max(0, text.search(odd) - 40)).slice(0, 80))
  })()`)
}
