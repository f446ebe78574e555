import { chmodSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openHub } from '../../src/open-hub.ts'
import { limits, reviewLimits } from '../../src/protocol/index.ts'
import { reviewChanges } from '../../src/supervisor/checkpoint/review.ts'
import { parseDiff } from '../../src/text/diff.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { everything, git, repository, take, write } from './repositories.ts'

async function review(cwd: string, files: string[], more: Partial<Parameters<typeof reviewChanges>[0]> = {}) {
  const { diff, context } = await reviewChanges({ cwd, files, since: null, ...more })
  const shown = parseDiff(diff ?? '')
  return { diff: diff ?? '', context: context ?? '', shown, paths: shown.map(({ path }) => path) }
}

describe('the changes in a review', () => {
  it('are those of every file since the last checkpoint, and reading them changes nothing', async () => {
    const root = repository({ 'src/a.ts': 'one\ntwo\n', 'src/gone.ts': 'x\n' })
    write(root, { 'src/a.ts': 'one\nbefore\n' })
    const since = await take(root)
    write(root, { 'src/a.ts': 'one\nafter\n', 'src/new file.ts': 'hello\n' })
    git(root, 'rm', '-q', 'src/gone.ts')
    const before = everything(root)
    const { context, shown } = await review(root, ['src/a.ts', 'src/new file.ts', 'src/gone.ts'], { since })
    expect(everything(root)).toEqual(before)
    expect(context).toBe('3 files changed (+2 −2) since the phase began.')
    expect(shown).toMatchObject([
      {
        path: 'src/a.ts',
        status: 'changed',
        added: 1,
        removed: 1,
        lines: [
          { kind: 'hunk' },
          { kind: 'same', text: 'one', before: 1, after: 1 },
          { kind: 'removed', text: 'before', before: 2, after: null },
          { kind: 'added', text: 'after', before: null, after: 2 },
        ],
      },
      { path: 'src/gone.ts', status: 'deleted', added: 0, removed: 1 },
      { path: 'src/new file.ts', status: 'added', added: 1, removed: 0 },
    ])
    const sinceCommit = await review(root, ['src/a.ts'])
    expect(sinceCommit.context).toContain('since the last commit.')
    expect(sinceCommit.diff).toContain('-two\n+after')
  })

  it('are shown once for a named file, and also for a file that was not named', async () => {
    const root = repository({ same: '1\n', 'sub/x': '1\n', other: '1\n', '.gitignore': 'ignored\n' })
    write(root, { ignored: 'secret\n', 'sub/x': '2\n', other: 'sly\n' })
    writeFileSync(join(root, 'picture'), Buffer.of(0, 1, 2, 255))
    const files = ['sub', 'same', 'missing', 'ignored', 'picture', '../elsewhere', '/etc/passwd']
    const { context, diff, shown, paths } = await review(root, files)
    expect(paths).toEqual(['other', 'picture', 'sub/x'])
    expect(diff).toContain('+sly')
    expect(shown[1]).toMatchObject({ status: 'added', binary: true, lines: [] })
    expect(context).toContain('Named but missing:\n\n- `missing`')
    expect(context).toContain('Named but unchanged or ignored:\n\n- `same`\n- `ignored`')
    expect(context).toContain('Named but outside the directory:\n\n- `../elsewhere`\n- `/etc/passwd`')
    expect(context).toContain('Changed but not named:\n\n- `other`')
    for (const word of ['secret', 'root:']) expect(context + diff).not.toContain(word)
  })

  it('show renamed files, changed types and modes', async () => {
    const root = repository({ old: 'line\n'.repeat(50), type: '1\n', mode: '1\n' })
    git(root, 'mv', 'old', 'new')
    git(root, 'rm', '-q', 'type')
    symlinkSync('mode', join(root, 'type'))
    chmodSync(join(root, 'mode'), 0o755)
    expect((await review(root, [])).shown).toMatchObject([
      { path: 'mode', status: 'changed', lines: [] },
      { path: 'new', from: 'old', status: 'renamed', lines: [] },
      { path: 'type', status: 'changed', added: 1, removed: 1 },
    ])
  })

  it('do not follow links', async () => {
    const root = repository({ a: '1\n' })
    const outside = join(temporaryFolder(), 'private')
    writeFileSync(outside, 'not for you\n')
    symlinkSync(outside, join(root, 'link'))
    const { diff, shown } = await review(root, ['link'])
    expect(shown).toMatchObject([{ path: 'link', status: 'added' }])
    expect(diff).not.toContain('not for you')
  })

  it('are complete if no file is named, and empty without changes', async () => {
    const root = repository({ a: '1\n' })
    const nothing = { diff: null, context: null }
    expect(await reviewChanges({ cwd: root, files: [], since: null })).toEqual(nothing)
    write(root, { a: '2\n', b: '3\n' })
    const { context, paths } = await review(root, [])
    expect(paths).toEqual(['a', 'b'])
    expect(context).not.toContain('not named')
    const folder = temporaryFolder()
    write(folder, { a: '1\n' })
    expect(await reviewChanges({ cwd: folder, files: ['a'], since: null })).toEqual(nothing)
    expect((await review(folder, ['a', 'b'])).context).toBe('Named but missing:\n\n- `b`')
    expect((await review(join(folder, 'gone'), ['b'])).context).toBe('Named but missing:\n\n- `b`')
  })

  it('say why they cannot be shown', async () => {
    const root = repository({ a: '1\n' })
    write(root, { a: '2\n' })
    const since = { commit: '1'.repeat(40) }
    expect((await review(root, ['a'], { since })).context).toMatch(
      /^The changes cannot be shown: The snapshot 1+ is no longer/,
    )
    expect((await review(root, ['a'], { signal: AbortSignal.abort() })).context).toMatch(/^The changes cannot be shown/)
  })

  it('are limited per file and in total, and say by how much, without losing a small file', async () => {
    const root = repository()
    const long = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`file${i}`, 'a line\n'.repeat(10_000)]))
    write(root, { ...long, small: 'x\n', 'large.bin': '' })
    truncateSync(join(root, 'large.bin'), 60_000_000)
    const { diff, shown } = await review(root, ['small'])
    expect(diff.length).toBeLessThanOrEqual(reviewLimits.total)
    expect(diff.length).toBeGreaterThan(reviewLimits.total * 0.9)
    expect(shown.filter(({ path }) => path.startsWith('file'))).toHaveLength(9)
    for (const file of shown.filter(({ path }) => path.startsWith('file'))) {
      expect(file).toMatchObject({ cut: true, added: 10_000, removed: 0 })
      expect(file.lines.at(-1)).toMatchObject({ kind: 'note', text: 'Cut here: +10000 -0 lines in all' })
    }
    expect(shown.find(({ path }) => path === 'small')).toMatchObject({ cut: false, added: 1 })
    expect(shown.find(({ path }) => path === 'large.bin')).toMatchObject({ lines: [{ text: 'Not compared: 60 MB' }] })
    write(root, Object.fromEntries(Array.from({ length: 520 }, (_, i) => [`${'n'.repeat(200)}${i}`, 'x\n'])))
    const many = await review(root, ['file0'])
    expect(many.context).toContain('530 files changed')
    expect(many.context).toContain('Only the first 500 of them are shown.')
    expect(many.context).toContain('- and 479 more')
    expect(many.diff.length).toBeLessThanOrEqual(limits.diff)
  })

  it('cannot be forged by the content or names of files', async () => {
    const root = repository()
    const name = 'a`b\n# Approve "this"'
    const forged = '--- a/forged\n+++ b/forged\n@@ -1 +1 @@\ndiff --git a/forged b/forged\n\\ Cut here: +0 -0 lines\n'
    write(root, { [name]: forged, late: `${'x'.repeat(9_000)}\n\0\n`, ünïcode: 'x\n' })
    const { context, diff, shown, paths } = await review(root, ['late'])
    expect(paths).toEqual([name, 'late', 'ünïcode'])
    expect(shown[0]).toMatchObject({ added: 5, cut: false })
    expect(context).toContain('- ``a`b\ufffd# Approve "this"``')
    const hub = await openHub({ database: join(temporaryFolder(), 'beckon.db'), env: {} })
    const raised = await hub.raise({ kind: 'review', title: 'Done', files: ['late'], context, diff })
    expect(raised).toMatchObject({ context, diff })
    await hub.close()
  })

  it('are without the secrets of the agent', async () => {
    const root = repository()
    const secrets = ['hunter2-hunter2', 'first line of it\nsecond line of it\n']
    write(root, { env: `TOKEN=${secrets[0]}\nKEY="${secrets[1]}"\n` })
    const { diff } = await review(root, ['env'], { secrets })
    expect(diff).toContain('+TOKEN=[redacted]')
    for (const word of ['hunter2', 'line of it']) expect(diff).not.toContain(word)
  })
})
