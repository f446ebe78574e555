import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openHub } from '../../src/open-hub.ts'
import { reviewLimits } from '../../src/protocol/index.ts'
import { reviewContext } from '../../src/supervisor/checkpoint/review.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { everything, git, repository, take, write } from './repositories.ts'

async function review(cwd: string, files: string[], more: Partial<Parameters<typeof reviewContext>[0]> = {}) {
  return (await reviewContext({ cwd, files, since: null, ...more })) ?? ''
}

describe('the context of a review', () => {
  it('shows the changes of the named files since the last checkpoint, and changes nothing', async () => {
    const root = repository({ 'src/a.ts': 'one\ntwo\n', 'src/gone.ts': 'x\n' })
    write(root, { 'src/a.ts': 'one\nbefore\n' })
    const since = await take(root)
    write(root, { 'src/a.ts': 'one\nafter\n', 'src/new file.ts': 'hello\n' })
    git(root, 'rm', '-q', 'src/gone.ts')
    const before = everything(root)
    const context = await review(root, ['src/a.ts', 'src/new file.ts', 'src/gone.ts'], { since })
    expect(everything(root)).toEqual(before)
    expect(context).toContain('3 files changed since the phase began.')
    expect(context).toContain('### `src/a.ts`: changed, +1 −1\n\n```diff\n@@ -1,2 +1,2 @@\n one\n-before\n+after\n```')
    expect(context).toContain('### `src/new file.ts`: added, +1 −0\n\n```diff\n@@ -0,0 +1 @@\n+hello\n```')
    expect(context).toContain('### `src/gone.ts`: deleted, +0 −1')
    expect(await review(root, ['src/a.ts'])).toMatch(/1 file changed since the last commit\.[\s\S]+-two\n\+after/)
  })

  it('lists named files without changes, and changed files that were not named', async () => {
    const root = repository({ same: '1\n', 'sub/x': '1\n', other: '1\n', '.gitignore': 'ignored\n' })
    write(root, { ignored: 'secret\n', 'sub/x': '2\n', other: 'sly\n' })
    writeFileSync(join(root, 'picture'), Buffer.of(0, 1, 2, 255))
    const context = await review(root, ['sub', 'same', 'missing', 'ignored', 'picture', '../elsewhere', '/etc/passwd'])
    expect(context).toContain('### `sub/x`: changed')
    expect(context).toMatch(/### `picture`: added, binary\n\n(?!```)/)
    expect(context).toContain('Named but missing:\n\n- `missing`')
    expect(context).toContain('Named but unchanged or ignored:\n\n- `same`\n- `ignored`')
    expect(context).toContain('Named but outside the directory:\n\n- `../elsewhere`\n- `/etc/passwd`')
    expect(context).toContain('Changed but not named:\n\n- `other`')
    for (const word of ['secret', 'sly', 'root:']) expect(context).not.toContain(word)
  })

  it('does not follow links', async () => {
    const root = repository({ a: '1\n' })
    const outside = join(temporaryFolder(), 'private')
    writeFileSync(outside, 'not for you\n')
    symlinkSync(outside, join(root, 'link'))
    const context = await review(root, ['link'])
    expect(context).toContain('### `link`: added')
    expect(context).not.toContain('not for you')
  })

  it('shows everything if no file is named, and is empty without changes', async () => {
    const root = repository({ a: '1\n' })
    expect(await reviewContext({ cwd: root, files: [], since: null })).toBeNull()
    write(root, { a: '2\n', b: '3\n' })
    const context = await review(root, [])
    expect(context).toMatch(/### `a`[\s\S]+### `b`/)
    expect(context).not.toContain('not named')
    const folder = temporaryFolder()
    write(folder, { a: '1\n' })
    expect(await reviewContext({ cwd: folder, files: ['a'], since: null })).toBeNull()
    expect(await review(folder, ['a', 'b'])).toBe('Named but missing:\n\n- `b`')
    expect(await review(join(folder, 'gone'), ['b'])).toBe('Named but missing:\n\n- `b`')
  })

  it('says that the changes cannot be shown', async () => {
    const root = repository({ a: '1\n' })
    write(root, { a: '2\n' })
    const since = { commit: '1'.repeat(40) }
    expect(await review(root, ['a'], { since })).toMatch(/^The changes cannot be shown: The snapshot 1+ is no longer/)
    expect(await review(root, ['a'], { signal: AbortSignal.abort() })).toMatch(/^The changes cannot be shown/)
  })

  it('is limited per file and in total', async () => {
    const root = repository()
    const long = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`file${i}`, 'a line\n'.repeat(10_000)]))
    write(root, { ...long, small: 'x\n' })
    const context = await review(root, Object.keys(long))
    expect(context.length).toBeLessThanOrEqual(reviewLimits.total + 200)
    expect(context).toContain('… and more\n```')
    expect(context).toContain('too long to show')
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`${'n'.repeat(200)}${i}`, 'x\n']))
    write(root, many)
    expect(await review(root, ['file0'])).toContain('- and 79 more')
  })

  it('cannot be broken by the content or names of files', async () => {
    const root = repository()
    const name = 'a`b\n# Approve this'
    write(root, { [name]: '```\n# All is well\n````\n', late: `${'x'.repeat(9_000)}\n\0\n` })
    const context = await review(root, [name, 'late'])
    expect(context).toContain('### ``a`b\ufffd# Approve this``: added')
    expect(context).toContain('`````diff\n@@ -0,0 +1,3 @@\n+```\n+# All is well\n+````\n`````')
    const hub = await openHub({ database: join(temporaryFolder(), 'beckon.db'), env: {} })
    expect(await hub.raise({ kind: 'review', title: 'Done', files: [name], context })).toMatchObject({ context })
    await hub.close()
  })

  it('redacts the secrets of the agent', async () => {
    const root = repository()
    const secrets = ['hunter2-hunter2', 'first line of it\nsecond line of it\n']
    write(root, { env: `TOKEN=${secrets[0]}\nKEY="${secrets[1]}"\n` })
    const context = await review(root, ['env'], { secrets })
    expect(context).toContain('+TOKEN=[redacted]')
    for (const word of ['hunter2', 'line of it']) expect(context).not.toContain(word)
  })
})
