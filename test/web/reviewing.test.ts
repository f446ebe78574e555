import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../cli/sandbox.ts'
import { repository } from '../supervisor/repositories.ts'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'
import { review } from './samples.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')

// Finishes a phase: it names one file, and changes three. Then it prints the reply.
const agent = `
import os, sys
open('src/parse.ts', 'w').write('const rows = 1\\nconst prices = 3\\n')
open('sly.ts', 'w').write('nobody named me\\n')
os.rename('old.md', 'new.md')
print('''=== PHASE 2 COMPLETE ===
Completed:
- the parser
Summary: Prices are in cents.
Files changed:
- src/parse.ts
Ready for review.''', flush=True)
print('reply:', ''.join(iter(sys.stdin.readline, '[/REVIEW_REJECTED]\\n')), flush=True)
`

// Shows: Reviews: every changed file with line numbers, comments on lines, viewed marks, approve and request changes by key, restore.
describe('reviewing in the browser', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  it('shows every changed file of a run, sends comments on lines as feedback, and restores the checkpoint', async () => {
    const root = repository({
      'src/parse.ts': 'const rows = 1\nconst prices = 2\n',
      'old.md': 'line\n'.repeat(20),
      'agent.py': agent,
    })
    const child = spawn(process.execPath, [launcher, 'run', '--', 'python3', 'agent.py'], {
      env: { ...process.env, ...site.env },
      stdio: ['ignore', 'pipe', 'ignore'],
      cwd: root,
    })
    const ended = once(child, 'close')
    let printed = ''
    child.stdout.on('data', chunk => {
      printed += chunk
    })
    const request = await until(async () => (await site.hub.list({ kind: 'review' })).requests[0], 'the review')
    const page = await site.visit({ path: `/requests/${request.id}` })
    const summary = page.getByRole('region', { name: 'Context' })
    await summary.getByText('the parser').waitFor()
    await summary.getByText('Prices are in cents.').waitFor()
    // Each once, whether it was named or not.
    const names = page.locator('.review-file .review-path')
    await expect.poll(() => names.allInnerTexts()).toEqual(['old.md → new.md', 'sly.ts', 'src/parse.ts'])
    await page.locator('.diff-added', { hasText: 'nobody named me' }).waitFor()

    // By a click, and by a key on the next line.
    const parser = page.getByRole('region', { name: 'src/parse.ts' })
    await parser.getByRole('button', { name: 'Comment on removed line 2' }).click()
    await page.keyboard.type('It was right.')
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: 'Comment on line 2' }).fill('Why 3?\nSay it.')
    await page.keyboard.press('Escape')
    await page.keyboard.press('v')
    expect(await parser.getByRole('checkbox', { name: 'Viewed' }).isChecked()).toBe(true)
    // The line is gone; the keyboard goes on from the file's name.
    expect(await page.locator(':focus').innerText()).toBe('src/parse.ts')
    await page.getByText('Draft saved').waitFor()

    // Nothing is lost by leaving; another screen goes on with the draft.
    await page.reload()
    await page.getByText('2 comments').first().waitFor()
    expect(await parser.getByRole('checkbox', { name: 'Viewed' }).isChecked()).toBe(true)
    await expect.poll(() => parser.locator('.diff').count()).toBe(0)
    await parser.getByRole('button', { name: 'src/parse.ts' }).click()
    await parser.locator('.line-comment', { hasText: 'Why 3?' }).waitFor()

    // Restoring says first what it would undo.
    await page.getByRole('button', { name: 'Restore to the checkpoint…' }).click()
    const plan = page.getByRole('region', { name: 'Restore to the checkpoint…' })
    await plan.getByText('Back to how they were (2)').waitFor()
    await plan.getByText('Removed (2)').waitFor()
    expect(await plan.locator('.restore-names').first().innerText()).toContain('src/parse.ts')
    await expect.poll(() => isInView(plan.getByRole('button', { name: 'Cancel' }))).toBe(true)
    expect(readFileSync(join(root, 'sly.ts'), 'utf8')).toContain('nobody')
    await plan.getByRole('button', { name: 'Restore the files…' }).click()
    await plan.getByRole('button', { name: 'Yes, restore the files' }).click()
    await page.getByText('The files are as they were then.').waitFor()
    expect(readFileSync(join(root, 'src/parse.ts'), 'utf8')).toBe('const rows = 1\nconst prices = 2\n')
    await page.getByText(/beckon restore chk_/).waitFor()

    await page.keyboard.press('r')
    await page.getByRole('textbox', { name: 'What needs to change?' }).fill('Otherwise fine.')
    await page.keyboard.press('Control+Enter')
    const feedback =
      'src/parse.ts:2 (removed): It was right.\n> const prices = 2\n\nsrc/parse.ts:2: Why 3?\nSay it.\n> const prices = 3\n\nOtherwise fine.'
    expect((await site.hub.wait(request.id, { for: 15_000 })).outcome?.answers).toMatchObject([
      { selected: ['changes'], text: feedback },
    ])
    await ended
    expect(printed).toContain('Why 3?')
    await page.goto(`${site.url}/requests/${request.id}`)
    await parser.getByRole('button', { name: 'src/parse.ts' }).click()
    await parser.locator('.line-comment', { hasText: 'Say it.' }).waitFor()
    expect(page.notices.bad).toEqual([])
  }, 60_000)

  it('approves by one key, needs a text to ask for changes, and takes no digit for feedback', async () => {
    const { page, outcome } = await site.open({ ...review, diff: null })
    // Enabled once the draft is loaded.
    await page.getByRole('button', { name: /^Approve/, disabled: false }).waitFor()
    // It once wrote "2" into the feedback, which Ctrl-Enter then sent.
    await page.keyboard.press('2')
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('r')
    const field = page.getByRole('textbox', { name: 'What needs to change?' })
    expect(await field.inputValue()).toBe('')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Say what should be changed, or comment on a line.').waitFor()
    await field.fill('A remark.')
    await page.keyboard.press('Escape')
    // The keyboard goes on from the verb that opened the field.
    expect(await page.locator(':focus').innerText()).toContain('Request changes')
    await page.keyboard.press('a')
    expect(await outcome()).toMatchObject({ answers: [{ selected: ['approve'], text: null }], note: 'A remark.' })
    expect(page.notices.bad).toEqual([])
  })

  it('opens a file of five thousand lines, and takes a comment on its last', async () => {
    const long = `diff --git a/long.ts b/long.ts\nnew file mode 100644\n--- /dev/null\n+++ b/long.ts\n@@ -0,0 +1,5000 @@\n${Array.from({ length: 5_000 }, (_, i) => `+line(${i})\n`).join('')}`
    const { page, outcome } = await site.open({ ...review, diff: long })
    await page.getByRole('button', { name: 'long.ts' }).click()
    // The first lines are there at once, the others follow.
    await page.getByRole('button', { name: 'Comment on line 1', exact: true }).click()
    await page.getByRole('textbox', { name: 'Comment on line 1' }).fill('First.')
    await page.keyboard.press('Escape')
    await page.locator('.diff-number', { hasText: /^5000$/ }).click()
    await page.getByRole('textbox', { name: 'Comment on line 5000' }).fill('Last.')
    await page.keyboard.press('Escape')
    await page.keyboard.press('r')
    await page.keyboard.press('Control+Enter')
    expect((await outcome())?.answers?.[0]?.text).toBe(
      'long.ts:1: First.\n> line(0)\n\nlong.ts:5000: Last.\n> line(4999)',
    )
  }, 60_000)

  it('does not cut what somebody wrote to approve: it says that it is too long', async () => {
    const { page, id } = await site.open({ ...review, diff: null })
    await page.getByRole('button', { name: /^Request changes/, disabled: false }).click()
    await page.getByRole('textbox', { name: 'What needs to change?' }).fill('x'.repeat(20_001))
    await page.keyboard.press('Escape')
    await page.keyboard.press('a')
    await page.getByText('too long to go along: 20,001 characters, at most 20,000').waitFor()
    expect((await site.hub.get(id)).status).toBe('pending')
  })

  it('says where there is nothing to show, and keeps the name of a long file in view', async () => {
    const empty = 'diff --git a/empty.ts b/empty.ts\nnew file mode 100644\nindex 0000000..e69de29\n'
    const added = (name: string, count: number) =>
      `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,${count} @@\n${'+a line\n'.repeat(count)}`
    const { page } = await site.open({ ...review, diff: `${empty}${added('long.ts', 300)}${added('next.ts', 300)}` })
    await page.getByRole('region', { name: 'empty.ts' }).getByText('An empty file.').waitFor()
    const file = page.getByRole('region', { name: 'long.ts' })
    // Nothing is left out above the first line.
    expect(await file.locator('.diff-hunk').count()).toBe(0)
    await file.getByRole('button', { name: 'Comment on line 250' }).focus()
    const name = file.getByRole('button', { name: 'long.ts' })
    await expect.poll(() => isInView(name)).toBe(true)
    // Closing it does not lead into the middle of another file.
    await file.getByRole('checkbox', { name: 'Viewed' }).click()
    await expect.poll(() => file.locator('.diff').count()).toBe(0)
    expect(await isInView(name)).toBe(true)

    const { page: other } = await site.open({ ...review, diff: null })
    await other.getByText('No changes to show').waitFor()
    expect([...page.notices.bad, ...other.notices.bad]).toEqual([])
  })

  it('fits a phone, and collapses what is long', async () => {
    const long = `diff --git a/long.ts b/long.ts\n--- a/long.ts\n+++ b/long.ts\n@@ -0,0 +1,500 @@\n${'+a line\n'.repeat(500)}`
    const { page } = await site.open({ ...review, diff: `${review.diff}${long}` }, 'phone')
    await page.locator('.diff-added').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    const text = await page.locator('.diff-text').first().boundingBox()
    expect((text?.width ?? 0) > 240).toBe(true)
    const file = page.getByRole('region', { name: 'long.ts' })
    expect(await file.locator('.diff-row').count()).toBe(0)
    await page.getByRole('navigation', { name: 'Changed files' }).getByText('long.ts').click()
    await expect.poll(() => file.locator('.diff-added').count()).toBe(500)
    expect(page.notices.bad).toEqual([])
  })
})

/** Whether a person sees it: not scrolled away, and not below something else. */
function isInView(element: Locator): Promise<boolean> {
  return element.evaluate(element => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2))
  })
}
