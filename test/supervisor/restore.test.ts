import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { restoreSnapshot } from '../../src/supervisor/git/restore.ts'
import { takeSnapshot } from '../../src/supervisor/git/snapshot.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { commit, contents, diffOf, everything, files, git, read, repository, take, write } from './repositories.ts'

describe('restoring a snapshot', () => {
  it('restores content, deletions and new files, and returns what it did', async () => {
    const root = repository({ a: '1', b: '1', 'sub/c': '1' })
    write(root, { a: '2', 'new/d': '2' })
    rmSync(join(root, 'b'))
    const before = everything(root)
    const snapshot = await take(root)
    write(root, { a: '3', b: 'back', 'made/by/agent': '3' })
    rmSync(join(root, 'new'), { recursive: true })
    const { restored, removed, saved } = await restoreSnapshot(snapshot, { force: true })
    expect(everything(root)).toEqual(before)
    expect(restored.sort()).toEqual(['a', 'new/d'])
    expect(removed.sort()).toEqual(['b', 'made/by/agent'])
    expect(existsSync(join(root, 'made'))).toBe(false)
    expect(contents(root, saved)).toEqual({ a: '3', b: 'back', 'made/by/agent': '3', 'sub/c': '1' })
    expect(git(root, 'for-each-ref', 'refs/beckon/before-restore')).toContain(saved?.commit)
  })

  it('refuses to overwrite content that is in no commit or snapshot, and changes nothing', async () => {
    const root = repository({ a: '1', b: '1' })
    const snapshot = await take(root)
    write(root, { a: 'precious', c: 'new' })
    const before = everything(root)
    await expect(restoreSnapshot(snapshot)).rejects.toMatchObject({
      code: 'not_allowed',
      message: expect.stringContaining('a, c'),
      details: { files: ['a', 'c'] },
    })
    expect(everything(root)).toEqual(before)
  })

  it('overwrites content that is in a commit or a later snapshot', async () => {
    const root = repository({ a: '1', b: '1' })
    const snapshot = await take(root, 'first')
    write(root, { a: '2' })
    await take(root, 'second')
    commit(root, { b: '2' }, 'b')
    const head = git(root, 'rev-parse', 'HEAD')
    expect(await restoreSnapshot(snapshot)).toEqual({ restored: ['a', 'b'], removed: [], saved: null })
    expect([read(root, 'a'), read(root, 'b')]).toEqual(['1', '1'])
    expect(git(root, 'rev-parse', 'HEAD')).toBe(head)
    expect(await restoreSnapshot(snapshot)).toEqual({ restored: [], removed: [], saved: null })
  })

  it('does not take a file as committed that is assume-unchanged or skip-worktree', async () => {
    for (const flag of ['--assume-unchanged', '--skip-worktree']) {
      const root = repository({ a: '1' })
      const snapshot = await take(root)
      git(root, 'update-index', flag, 'a')
      write(root, { a: 'precious' })
      await expect(restoreSnapshot(snapshot)).rejects.toThrow('in no commit and no snapshot: a')
      expect(contents(root, (await restoreSnapshot(snapshot, { force: true })).saved)).toEqual({ a: 'precious' })
      expect(read(root, 'a')).toBe('1')
    }
  })

  it('continues after an interruption without force', async () => {
    const root = repository({ a: '1', b: '1' })
    write(root, { a: '2', b: '2' })
    const snapshot = await take(root)
    write(root, { a: '3', b: '3' })
    await restoreSnapshot(snapshot, { force: true })
    write(root, { b: '3' })
    expect(await restoreSnapshot(snapshot)).toMatchObject({ restored: ['b'], saved: null })
  })

  it('keeps files that were ignored at the snapshot, even if they no longer are', async () => {
    const root = repository({ '.gitignore': 'node_modules/\n/.env\n*.log\n', 'sub/.gitignore': 'cache\n' })
    write(root, { 'node_modules/x/y': '1', '.env': 'secret', 'a.log': '1', 'sub/cache': '1' })
    const snapshot = await take(root)
    rmSync(join(root, '.gitignore'))
    rmSync(join(root, 'sub/.gitignore'))
    write(root, { '.gitignore': '' })
    const ignored = ['node_modules/x/y', '.env', 'a.log', 'sub/cache']
    const { removed, saved } = await restoreSnapshot(snapshot, { force: true })
    expect(removed).toEqual([])
    expect(Object.keys(contents(root, saved))).toEqual(['.gitignore'])
    for (const name of ignored) expect(existsSync(join(root, name)), name).toBe(true)
  })

  it('restores a file that is ignored now, and saves its current content', async () => {
    const root = repository({ a: '1' })
    write(root, { notes: 'then' })
    const snapshot = await take(root)
    write(root, { '.gitignore': 'notes\n', notes: 'now' })
    await expect(restoreSnapshot(snapshot)).rejects.toThrow('notes')
    const { saved } = await restoreSnapshot(snapshot, { force: true })
    expect(read(root, 'notes')).toBe('then')
    expect(contents(root, saved).notes).toBe('now')
  })

  it('keeps tracked files that are ignored as well', async () => {
    const root = repository({ '.gitignore': '*.bin\n' })
    write(root, { 'a.bin': '1' })
    git(root, 'add', '-f', 'a.bin')
    write(root, { 'a.bin': '2', 'b.bin': 'ignored' })
    const snapshot = await take(root)
    rmSync(join(root, 'a.bin'))
    await restoreSnapshot(snapshot)
    expect([read(root, 'a.bin'), read(root, 'b.bin')]).toEqual(['2', 'ignored'])
  })

  it('refuses if something is in the way that it cannot save', async () => {
    const root = repository({ '.gitignore': 'ignored\n', a: '1', 'b/c': '1' })
    const snapshot = await take(root)
    rmSync(join(root, 'a'))
    write(root, { 'a/ignored': 'precious' })
    await expect(restoreSnapshot(snapshot, { force: true })).rejects.toThrow('in the way')
    expect(read(root, 'a/ignored')).toBe('precious')
    rmSync(join(root, 'a'), { recursive: true })
    execFileSync('mkfifo', [join(root, 'a')])
    await expect(restoreSnapshot(snapshot, { force: true })).rejects.toThrow('in the way')
    rmSync(join(root, 'a'))
    mkdirSync(join(root, 'a/empty/deep'), { recursive: true })
    await restoreSnapshot(snapshot)
    expect(read(root, 'a')).toBe('1')
  })

  it('never writes through a symbolic link to the outside', async () => {
    const outside = temporaryFolder()
    write(outside, { c: 'outside' })
    for (const rule of ['', 'b\n']) {
      const root = repository({ 'b/c': '1', 'b/d/e': '1' })
      write(root, { '.gitignore': rule })
      const snapshot = await take(root)
      rmSync(join(root, 'b'), { recursive: true })
      symlinkSync(outside, join(root, 'b'))
      expect(contents(root, await take(root, 'linked'))['b/c']).toBe(undefined)
      if (rule) await expect(restoreSnapshot(snapshot, { force: true })).rejects.toThrow('in the way')
      else await restoreSnapshot(snapshot, { force: true })
      expect(files(outside)).toEqual(new Map([['c', 'file outside']]))
      if (!rule) expect(read(root, 'b/c')).toBe('1')
    }
  })

  it('keeps private permissions, and restores the executable bit', async () => {
    const root = repository({ a: '1', b: '1' })
    const snapshot = await take(root)
    write(root, { a: '2', b: '1' })
    chmodSync(join(root, 'a'), 0o600)
    chmodSync(join(root, 'b'), 0o755)
    await restoreSnapshot(snapshot, { force: true })
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o600)
    expect(statSync(join(root, 'b')).mode & 0o111).toBe(0)
  })

  it('fails if the snapshot or the repository is gone', async () => {
    const root = repository({ a: '1' })
    const snapshot = await take(root)
    await expect(restoreSnapshot({ ...snapshot, commit: '0'.repeat(40) })).rejects.toMatchObject({ code: 'not_found' })
    await expect(restoreSnapshot({ ...snapshot, commit: '--help' })).rejects.toMatchObject({ code: 'not_found' })
    rmSync(join(root, '.git'), { recursive: true })
    await expect(restoreSnapshot(snapshot)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('changes nothing when an object is missing', async () => {
    const root = repository({ a: '1', b: '1' })
    write(root, { a: 'two', b: 'three' })
    const snapshot = await take(root)
    const oid = git(root, 'rev-parse', `${snapshot.commit}:b`).trim()
    commit(root, { a: '4', b: '4' })
    rmSync(join(root, '.git/objects', oid.slice(0, 2), oid.slice(2)))
    const before = everything(root)
    await expect(restoreSnapshot(snapshot, { force: true })).rejects.toThrow()
    expect(everything(root)).toEqual(before)
  })
})

describe('restoring HEAD on request', () => {
  it('checks out the branch if it is unchanged, and moves no branch', async () => {
    const root = repository({ a: '1' })
    write(root, { a: '2' })
    const snapshot = await take(root)
    git(root, 'checkout', '-q', '-b', 'other')
    commit(root, { a: '3', b: '3' })
    const other = git(root, 'rev-parse', 'other')
    await restoreSnapshot(snapshot, { checkoutHead: true })
    expect(git(root, 'symbolic-ref', 'HEAD').trim()).toBe('refs/heads/main')
    expect(git(root, 'status', '--porcelain')).toBe(' M a\n')
    expect(git(root, 'rev-parse', 'other')).toBe(other)
    expect(git(root, 'reflog', '-1')).toContain('beckon: restore')
  })

  it('detaches HEAD if the branch has moved on', async () => {
    const root = repository({ a: '1' })
    const snapshot = await take(root)
    commit(root, { a: '2' })
    const main = git(root, 'rev-parse', 'main')
    await restoreSnapshot(snapshot, { checkoutHead: true })
    expect(git(root, 'rev-parse', 'main')).toBe(main)
    expect(git(root, 'rev-parse', 'HEAD').trim()).toBe(snapshot.head)
    expect(() => git(root, 'symbolic-ref', '-q', 'HEAD')).toThrow()
    expect(git(root, 'status', '--porcelain')).toBe('')
  })

  it('saves content that was only staged', async () => {
    const root = repository({ a: '1' })
    const snapshot = await take(root)
    write(root, { a: 'staged' })
    git(root, 'add', 'a')
    write(root, { a: '1' })
    await expect(restoreSnapshot(snapshot, { checkoutHead: true })).rejects.toThrow('staged')
    const { saved } = await restoreSnapshot(snapshot, { checkoutHead: true, force: true })
    expect(git(root, 'show', `${saved?.commit}^2:a`)).toBe('staged')
    expect(git(root, 'status', '--porcelain')).toBe('')
  })

  it('stops at an index.lock before it changes anything', async () => {
    const root = repository({ a: '1' })
    const snapshot = await take(root)
    commit(root, { a: '2' })
    write(root, { '.git/index.lock': '' })
    const before = everything(root)
    await expect(restoreSnapshot(snapshot, { checkoutHead: true })).rejects.toThrow('index.lock')
    expect(everything(root)).toEqual(before)
  })

  it('restores a state without commits only if the branch has none', async () => {
    const root = repository()
    write(root, { a: '1' })
    const snapshot = await take(root)
    commit(root, { b: '2' })
    await expect(restoreSnapshot(snapshot, { checkoutHead: true })).rejects.toThrow('had no commits then')
    git(root, 'checkout', '-q', '-b', 'other')
    git(root, 'branch', '-q', '-D', 'main')
    await restoreSnapshot(snapshot, { checkoutHead: true })
    expect(git(root, 'status', '--porcelain', '--branch')).toContain('No commits yet on main')
    expect(files(root)).toEqual(new Map([['a', 'file 1']]))
  })
})

describe('a tree', () => {
  it('is restored with any file names: line breaks, quotes, dashes, bytes that are not text', async () => {
    const names = [
      'new\nline',
      'tab\there',
      '"quoted"',
      "it's",
      '-rf',
      '--help',
      ' space ',
      'back\\slash',
      '*?[x]',
      '~',
      '@{u}',
    ]
    names.push(
      ':(top)magic',
      '!not',
      '#hash',
      'ünïcödé',
      '日本',
      'git~1',
      '.gitx',
      'CON',
      'a:b',
      'deep/-x/\n/y',
      'é',
      'e\u0301',
    )
    const raw = Buffer.from([0x63, 0x61, 0x66, 0xe9])
    const root = repository({ a: '1' })
    write(root, Object.fromEntries(names.map(name => [name, name])))
    if (process.platform === 'linux') writeFileSync(Buffer.concat([Buffer.from(`${root}/`), raw]), 'bytes')
    const before = files(root)
    const snapshot = await take(root)
    for (const name of readdirSync(root, { encoding: 'buffer' })) {
      if (name.toString() !== '.git') rmSync(Buffer.concat([Buffer.from(`${root}/`), name]), { recursive: true })
    }
    const { restored } = await restoreSnapshot(snapshot)
    expect(files(root)).toEqual(before)
    if (process.platform === 'linux') expect(restored).toContain('"caf\\351"')
    write(root, Object.fromEntries(names.map(name => [name, 'changed'])))
    expect((await diffOf(root, snapshot.commit)).map(({ file }) => file).sort()).toEqual([...names].sort())
  })

  it.runIf(process.platform === 'linux')('is restored with names that differ only in case', async () => {
    const root = repository({ Readme: '1', README: '2' })
    write(root, { readme: '3' })
    const before = files(root)
    const snapshot = await take(root)
    for (const name of ['Readme', 'README', 'readme']) rmSync(join(root, name))
    await restoreSnapshot(snapshot)
    expect(files(root)).toEqual(before)
  })

  it('is restored if only the case of a name changed', async () => {
    const root = repository({ Readme: '1' })
    const snapshot = await take(root)
    git(root, 'config', 'core.ignoreCase', 'true')
    git(root, 'mv', 'Readme', 'README')
    await restoreSnapshot(snapshot, { force: true })
    expect(files(root)).toEqual(new Map([['Readme', 'file 1']]))
  })

  it('is restored with symbolic links, executable bits and changed file types', async () => {
    const root = repository({ file: '1', script: '#!', 'folder/x': '1', other: '1' })
    chmodSync(join(root, 'script'), 0o755)
    symlinkSync('file', join(root, 'link'))
    symlinkSync('nowhere/at/all', join(root, 'dangling'))
    symlinkSync('folder', join(root, 'linked-folder'))
    const before = files(root)
    const snapshot = await take(root)
    chmodSync(join(root, 'script'), 0o644)
    for (const name of ['file', 'folder', 'link', 'other', 'linked-folder'])
      rmSync(join(root, name), { recursive: true })
    write(root, { 'file/is/a/folder': '1', folder: 'a file', link: 'a file', 'linked-folder/x': '1' })
    symlinkSync('script', join(root, 'other'))
    await restoreSnapshot(snapshot, { force: true })
    expect(files(root)).toEqual(before)
  })

  it('is restored byte for byte with filters, line endings, encodings and keywords', async () => {
    const root = repository()
    git(root, 'config', 'filter.pointer.clean', 'sed s/content/pointer/')
    git(root, 'config', 'filter.pointer.smudge', 'sed s/pointer/content/')
    git(root, 'config', 'filter.pointer.required', 'true')
    const attributes =
      '*.big filter=pointer\n*.crlf text eol=crlf\n*.auto text=auto\n*.id ident\n*.u16 text working-tree-encoding=UTF-16LE\n'
    const content = {
      '.gitattributes': attributes,
      'a.big': 'content and pointer\n',
      'b.crlf': 'one\r\ntwo\r\n',
      'c.auto': 'mixed\r\nends\nhere\r\n',
      'd.id': '$Id: by hand $\n',
      'f.crlf': 'lf\nonly\n',
    }
    commit(root, content)
    writeFileSync(join(root, 'e.u16'), Buffer.from('text\n', 'utf16le'))
    git(root, 'add', '-A')
    git(root, 'commit', '-qm', 'more')
    write(root, content)
    const before = files(root)
    const snapshot = await take(root)
    write(root, Object.fromEntries(Object.keys(content).map(name => [name, 'gone'])))
    rmSync(join(root, 'e.u16'))
    await restoreSnapshot(snapshot, { force: true })
    expect(files(root)).toEqual(before)
  })

  it('is restored byte for byte with autocrlf, and is clean if git says so', async () => {
    const root = repository({ '.gitattributes': '*.u16 text working-tree-encoding=UTF-16LE\n' })
    git(root, 'config', 'core.autocrlf', 'true')
    writeFileSync(join(root, 'b.u16'), Buffer.from('text\n', 'utf16le'))
    commit(root, { a: 'one\r\ntwo\r\n', c: 'x\r\n' })
    expect(git(root, 'show', 'HEAD:a')).toBe('one\ntwo\n')
    const snapshot = await take(root)
    expect(snapshot.dirty).toBe(false)
    expect(await diffOf(root, null)).toEqual([])
    write(root, { a: 'two\r\n' })
    expect((await take(root, 'later')).dirty).toBe(true)
    expect((await diffOf(root, null)).map(({ file }) => file)).toEqual(['a'])
    await restoreSnapshot(snapshot)
    expect(read(root, 'a')).toBe('one\r\ntwo\r\n')
    // It is committed in converted form, so nothing is lost although no tree has the bytes.
    const unix = repository({ a: 'one\n' })
    const earlier = await take(unix)
    git(unix, 'config', 'core.autocrlf', 'true')
    commit(unix, { a: 'two\r\n' })
    expect(await restoreSnapshot(earlier)).toMatchObject({ restored: ['a'], saved: null })
  })

  it('is recorded without the content of submodules and nested repositories, which stay unchanged', async () => {
    const library = repository({ code: '1' })
    const root = repository({ a: '1' })
    git(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, 'sub')
    git(root, 'commit', '-qam', 'sub')
    const nested = join(root, 'tools/nested')
    mkdirSync(nested, { recursive: true })
    git(nested, 'init', '-q')
    commit(nested, { tool: '1' })
    mkdirSync(join(root, 'unborn'))
    git(join(root, 'unborn'), 'init', '-q')
    write(root, { 'unborn/x': '1' })
    const snapshot = await take(root)
    const listed = git(root, 'ls-tree', '-r', snapshot.commit)
    expect(listed).toContain(`160000 commit ${git(join(root, 'sub'), 'rev-parse', 'HEAD').trim()}\tsub`)
    expect(listed).toContain(`160000 commit ${git(nested, 'rev-parse', 'HEAD').trim()}\ttools/nested`)
    expect(snapshot.leftOut).toEqual(['unborn'])

    commit(join(root, 'sub'), { code: '2' })
    commit(nested, { tool: '2' })
    write(root, { a: '2', 'sub/untracked': '1', 'other/x': '1' })
    mkdirSync(join(root, 'later'))
    git(join(root, 'later'), 'init', '-q')
    commit(join(root, 'later'), { new: '1' })
    expect((await take(root, 'later')).dirty).toBe(true)
    const { restored, removed } = await restoreSnapshot(snapshot, { force: true })
    expect([restored, removed]).toEqual([['a'], ['other/x']])
    for (const name of ['sub/code', 'tools/nested/tool']) expect(read(root, name)).toBe('2')
    for (const name of ['sub/untracked', 'later/new', 'unborn/x']) expect(read(root, name)).toBe('1')

    // A submodule that was never fetched looks like an unchanged one.
    const clone = join(temporaryFolder(), 'clone')
    git(root, 'clone', '-q', root, clone)
    expect(await take(clone)).toMatchObject({ dirty: false })
  })

  it('is restored although a folder has become a repository', async () => {
    const root = repository({ 'sub/a': '1' })
    write(root, { 'sub/b': '1' })
    const snapshot = await take(root)
    git(join(root, 'sub'), 'init', '-q')
    write(root, { 'sub/a': '2', 'sub/b': '2', 'sub/c': '2' })
    commit(join(root, 'sub'), {})
    await take(root, 'later')
    await restoreSnapshot(snapshot, { force: true })
    expect([read(root, 'sub/a'), read(root, 'sub/b')]).toEqual(['1', '1'])
    expect(git(join(root, 'sub'), 'rev-parse', '--show-toplevel').trim()).toBe(join(root, 'sub'))
  })

  it('leaves out large untracked files and lists them; they survive a restore', async () => {
    const root = repository({ a: '1', tracked: '1' })
    const limits = { largest: 1_000, total: 5_000 }
    write(root, { tracked: 'x'.repeat(2_000), large: 'y'.repeat(2_000), 'odd\nname': 'z'.repeat(2_000), small: 's' })
    const snapshot = await take(root, 'name', limits)
    expect([...snapshot.leftOut].sort()).toEqual(['large', 'odd\nname'])
    expect(Object.keys(contents(root, snapshot))).toEqual(['a', 'small', 'tracked'])
    write(root, { a: '2', small: 't' })
    await restoreSnapshot(snapshot, { force: true })
    expect(lstatSync(join(root, 'large')).size).toBe(2_000)
    expect(lstatSync(join(root, 'odd\nname')).size).toBe(2_000)
    write(root, Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`many${i}`, 'm'.repeat(900)])))
    expect(await takeSnapshot(root, { run: 'run', name: 'n' }, { limits })).toEqual({
      error: expect.stringContaining('MB of'),
    })
  })

  it('leaves out files over 50 MB by default, and does not remove later ones', async () => {
    const root = repository({ a: '1' })
    const snapshot = await take(root)
    write(root, { a: '2', dump: '' })
    truncateSync(join(root, 'dump'), 50_000_001)
    expect((await take(root, 'later')).leftOut).toEqual(['dump'])
    const { removed } = await restoreSnapshot(snapshot)
    expect(removed).toEqual([])
    expect(existsSync(join(root, 'dump'))).toBe(true)
  })

  it('leaves out large files that a filter keeps out of the repository', async () => {
    const root = repository({ '.gitattributes': '*.big filter=lfs\n' })
    git(root, 'config', 'filter.lfs.clean', 'echo pointer #')
    commit(root, { 'a.big': 'x'.repeat(2_000), 'b.big': 'small' })
    const snapshot = await take(root, 'name', { largest: 1_000, total: 5_000 })
    expect(snapshot).toMatchObject({ leftOut: ['a.big'] })
    expect(contents(root, snapshot)).toMatchObject({ 'a.big': 'pointer\n', 'b.big': 'small' })
    write(root, { 'a.big': 'y'.repeat(2_000) })
    await restoreSnapshot(snapshot, { force: true })
    expect(read(root, 'a.big')).toBe('y'.repeat(2_000))
  })

  it('leaves out what git cannot store', async () => {
    const root = repository({ a: '1', b: '1' })
    execFileSync('mkfifo', [join(root, 'pipe')])
    rmSync(join(root, 'b'))
    execFileSync('mkfifo', [join(root, 'b')])
    symlinkSync('a', join(root, '.gitmodules'))
    write(root, { a: '2' })
    const snapshot = await take(root)
    expect([...snapshot.leftOut].sort()).toEqual(['.gitmodules', 'b'])
    expect(contents(root, snapshot)).toEqual({ a: '2', b: '1' })
  })

  it('is taken from its own worktree', async () => {
    const root = repository({ a: '1' })
    const tree = join(temporaryFolder(), 'tree')
    git(root, 'worktree', 'add', '-q', '-b', 'side', tree)
    write(tree, { a: '2' })
    write(root, { a: 'other' })
    const before = everything(root)
    const snapshot = await take(tree)
    expect(snapshot).toMatchObject({ root: tree, branch: 'side', dirty: true })
    write(tree, { a: '3', b: '3' })
    await restoreSnapshot(snapshot, { force: true })
    expect(files(tree)).toEqual(
      new Map([
        ['.git', expect.any(String)],
        ['a', 'file 2'],
      ]),
    )
    expect(everything(root)).toEqual(before)
  })

  it('does not treat files outside a sparse checkout as deleted', async () => {
    for (const kind of ['--sparse-index', '--no-sparse-index']) {
      const root = repository({ 'in/a': '1', 'out/b': '1', 'out/deep/c': '1', top: '1' })
      git(root, 'sparse-checkout', 'set', '--cone', kind, 'in')
      expect(existsSync(join(root, 'out'))).toBe(false)
      write(root, { 'in/a': '2' })
      const before = everything(root)
      const snapshot = await take(root)
      expect(everything(root)).toEqual(before)
      expect(contents(root, snapshot)).toEqual({ 'in/a': '2', 'out/b': '1', 'out/deep/c': '1', top: '1' })
      commit(root, { 'in/a': '3' }, 'in/a')
      expect(await restoreSnapshot(snapshot)).toMatchObject({ restored: ['in/a'], removed: [] })
      expect(existsSync(join(root, 'out'))).toBe(false)
      git(root, 'sparse-checkout', 'disable')
      expect(await restoreSnapshot(snapshot)).toMatchObject({ restored: [], removed: [] })
      expect(read(root, 'out/b')).toBe('1')
    }
  })

  it('can be in a repository with a split index, SHA-256 or a partial clone', async () => {
    const split = repository({ a: '1', b: 'x\n' })
    git(split, 'config', 'core.autocrlf', 'input')
    git(split, 'update-index', '--split-index')
    write(split, { c: 'crlf\r\n' })
    git(split, 'add', 'c')
    expect((await take(split)).dirty).toBe(true)
    git(split, 'commit', '-qm', 'c')
    expect((await take(split)).dirty).toBe(false)

    const modern = temporaryFolder()
    git(modern, 'init', '-q', '-b', 'main', '--object-format=sha256')
    commit(modern, { a: '1' })
    write(modern, { a: '2' })
    const snapshot = await take(modern)
    expect(snapshot.commit).toHaveLength(64)
    write(modern, { a: '3' })
    rmSync(join(modern, 'a'))
    await restoreSnapshot(snapshot)
    expect(read(modern, 'a')).toBe('2')

    const origin = repository({ 'in/a': '1', 'out/b': 'far away' })
    git(origin, 'config', 'uploadpack.allowFilter', 'true')
    const partial = join(temporaryFolder(), 'partial')
    git(origin, 'clone', '-q', '--filter=blob:none', '--sparse', `file://${origin}`, partial)
    git(partial, 'sparse-checkout', 'set', 'in')
    rmSync(origin, { recursive: true })
    write(partial, { 'in/a': '2' })
    const sparse = await take(partial)
    write(partial, { 'in/a': '3' })
    await restoreSnapshot(sparse, { force: true })
    expect(read(partial, 'in/a')).toBe('2')
  })
})

describe('any tree', () => {
  it('is restored exactly, and so is the state that it replaced', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(edits, edits, edits, async (committed, before, after) => {
        const root = repository({ '.gitignore': 'ignored*\n' })
        for (const edit of committed) apply(root, edit)
        git(root, 'add', '-A')
        git(root, 'commit', '-q', '--allow-empty', '-m', 'x')
        for (const edit of before) apply(root, edit)
        const then = everything(root)
        const snapshot = await take(root)
        expect(everything(root)).toEqual(then)
        for (const edit of after) apply(root, edit)
        const later = files(root)
        const ignored = (all: Map<string, string>) => [...all].filter(([name]) => name.startsWith('ignored'))
        const others = (all: Map<string, string>) => new Map([...all].filter(([name]) => !name.startsWith('ignored')))
        const { saved } = await restoreSnapshot(snapshot, { force: true })
        expect(others(files(root))).toEqual(others(then.files))
        expect(ignored(files(root))).toEqual(ignored(later))
        if (saved) await restoreSnapshot(saved)
        if (saved) expect(files(root)).toEqual(later)
        rmSync(root, { recursive: true })
      }),
      { numRuns: 30 },
    )
  })
})

type Edit = { name: string; what: 'write' | 'run' | 'link' | 'delete' | 'stage'; bytes: Uint8Array }

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    name: fc.constantFrom(
      'a',
      'b',
      'd',
      'd/a',
      'd/e',
      'd/e/f',
      'd e/-x',
      'new\nline',
      '"q"',
      'ü',
      'ignored',
      '.gitattributes',
    ),
    what: fc.constantFrom('write', 'write', 'write', 'run', 'link', 'delete', 'stage'),
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc.constantFrom('x\r\n', 'x\n', '* text eol=crlf\n', '* ident\n', '$Id$').map(text => Buffer.from(text)),
    ),
  }) as fc.Arbitrary<Edit>,
  { maxLength: 8 },
)

function apply(root: string, { name, what, bytes }: Edit): void {
  const path = join(root, name)
  if (what === 'stage') {
    git(root, 'add', '-A')
    return
  }
  const parts = name.split('/')
  for (const i of parts.keys()) {
    const above = join(root, ...parts.slice(0, i))
    if (i > 0 && !lstatSync(above, { throwIfNoEntry: false })?.isDirectory()) rmSync(above, { force: true })
  }
  rmSync(path, { recursive: true, force: true })
  if (what === 'delete') return
  mkdirSync(dirname(path), { recursive: true })
  // Git does not follow links for its own files.
  if (what === 'link' && !name.startsWith('.git')) symlinkSync(`to-${bytes.length}`, path)
  else writeFileSync(path, bytes, { mode: what === 'run' ? 0o755 : 0o644 })
}
