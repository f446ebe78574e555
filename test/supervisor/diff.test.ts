import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../setup/databases.ts'
import { commit, diffOf, repository, take, write } from './repositories.ts'

describe('the diff of a phase', () => {
  it('lists files with their kind of change since a snapshot', async () => {
    const long = 'line\n'.repeat(50)
    const root = repository({
      changed: '1\n',
      gone: '1\n',
      old: long,
      same: '1\n',
      mode: '1\n',
      type: '1\n',
      picture: '',
    })
    write(root, { before: 'the snapshot\n' })
    const { commit: from } = await take(root)
    write(root, { changed: '2\n', 'new file': 'ü\n', 'sub/renamed': `${long}more\n`, same: '1\n' })
    writeFileSync(join(root, 'picture'), Buffer.from([0, 1, 2, 255]))
    chmodSync(join(root, 'mode'), 0o755)
    for (const name of ['gone', 'old', 'type']) rmSync(join(root, name))
    symlinkSync('same', join(root, 'type'))
    const diffs = await diffOf(root, from)
    expect(diffs.map(({ file, status, cut }) => [file, status, cut]).sort()).toEqual([
      ['changed', 'changed', false],
      ['gone', 'deleted', false],
      ['mode', 'changed', false],
      ['new file', 'added', false],
      ['picture', 'changed', false],
      ['sub/renamed', 'renamed', false],
      ['type', 'changed', false],
    ])
    const of = (name: string) => diffs.find(({ file }) => file === name)?.diff
    expect(of('changed')).toContain('@@ -1 +1 @@\n-1\n+2\n')
    expect(of('new file')).toContain('+ü\n')
    expect(of('sub/renamed')).toMatch(/rename from old\nrename to sub\/renamed\n[\s\S]*\+more\n/)
    expect(of('picture')).toContain('Binary files a/picture and b/picture differ')
    expect(of('mode')).toContain('old mode 100644\nnew mode 100755')
    expect(of('type')).toMatch(/deleted file mode 100644[\s\S]*new file mode 120000[\s\S]*\+same/)
    for (const { file, diff } of diffs) expect(diff.startsWith('diff --git '), file).toBe(true)
  })

  it('is relative to the last commit without a snapshot, and to nothing before the first commit', async () => {
    const root = repository()
    write(root, { a: '1\n' })
    expect(await diffOf(root, null)).toMatchObject([{ file: 'a', status: 'added' }])
    commit(root, { a: '1\n' })
    expect(await diffOf(root, null)).toEqual([])
    write(root, { a: '2\n' })
    expect(await diffOf(root, null)).toMatchObject([{ file: 'a', status: 'changed' }])
  })

  it('is between two snapshots if the later one is given', async () => {
    const root = repository({ a: '1\n' })
    const { commit: from } = await take(root, 'first')
    write(root, { a: '2\n' })
    const { commit: to } = await take(root, 'second')
    write(root, { a: '3\n', b: '3\n' })
    const diffs = await diffOf(root, from, undefined, { to })
    expect(diffs).toMatchObject([{ file: 'a', diff: expect.stringContaining('+2') }])
    await expect(diffOf(root, '1'.repeat(40))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('shows only the given files, by paths relative to the directory', async () => {
    const root = repository({ 'sub/a': '1\n', 'sub/b': '1\n', c: '1\n', 'sub/more/d': '1\n' })
    const { commit: from } = await take(root)
    write(root, { 'sub/a': '2\n', 'sub/b': '2\n', c: '2\n', 'sub/more/d': '2\n' })
    const named = async (cwd: string, ...names: string[]) => (await diffOf(cwd, from, names)).map(({ file }) => file)
    expect(await named(join(root, 'sub'), 'a', '../c', 'missing')).toEqual(['c', 'sub/a'])
    expect(await named(root, './sub/b', '/etc/passwd', '../x')).toEqual(['sub/b'])
    expect(await named(root, 'sub/more/', join(root, 'c'))).toEqual(['c', 'sub/more/d'])
    const link = join(temporaryFolder(), 'link')
    symlinkSync(root, link)
    expect(await named(link, 'c', join(link, 'sub/a'))).toEqual(['c', 'sub/a'])
    expect(await named(root)).toEqual([])
  })

  it('is cut at the end of a line, per file and in total', async () => {
    const root = repository({ a: '' })
    write(root, { a: 'äöü\n'.repeat(5_000), b: 'short\n', c: 'x'.repeat(300_000), d: 'y\n'.repeat(400) })
    const diffs = await diffOf(root, null, undefined, { longest: 1_000, total: 2_500 })
    expect(diffs.map(({ file, cut }) => [file, cut])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
      ['d', true],
    ])
    for (const { diff } of diffs) expect(diff.endsWith('\n') && !diff.includes('\ufffd')).toBe(true)
    expect(diffs.reduce((sum, { diff }) => sum + diff.length, 0)).toBeLessThan(2_500)
  })

  it('cannot be hidden by attributes or confused by the content of files', async () => {
    const fake = 'x\ndiff --git a/other b/other\n--- a/other\n+++ b/other\n'
    const root = repository({ '.gitattributes': '* -diff\n*.x binary\n', 'a.x': '1\n', b: fake })
    const { commit: from } = await take(root)
    write(root, { 'a.x': '2\n', b: `${fake}more\n${fake}`, c: fake })
    const diffs = await diffOf(root, from)
    expect(diffs.map(({ file }) => file)).toEqual(['a.x', 'b', 'c'])
    expect(diffs[0]?.diff).toContain('+2')
    expect(diffs[2]?.diff).toContain('+diff --git a/other b/other')
  })
})
