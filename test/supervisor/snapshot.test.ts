import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diffOf } from '../../src/supervisor/git/diff.ts'
import { restoreSnapshot } from '../../src/supervisor/git/restore.ts'
import { deleteSnapshots, takeSnapshot } from '../../src/supervisor/git/snapshot.ts'
import { temporaryFolder } from '../setup/databases.ts'
import {
  asSomebodyWithoutRights,
  commit,
  contents,
  everything,
  files,
  git,
  gitWith,
  read,
  repository,
  take,
  timed,
  write,
} from './repositories.ts'

describe('taking a snapshot', () => {
  it('holds modified, staged, deleted and untracked files, and not the ignored ones', async () => {
    const root = repository({ kept: '1', changed: '1', staged: '1', gone: '1', '.gitignore': 'ignored\n' })
    write(root, { changed: '2', staged: '2', 'new/file': '3', ignored: '4' })
    git(root, 'add', 'staged')
    rmSync(join(root, 'gone'))
    const snapshot = await take(root)
    expect(contents(root, snapshot)).toEqual({
      '.gitignore': 'ignored\n',
      changed: '2',
      kept: '1',
      'new/file': '3',
      staged: '2',
    })
    expect(snapshot).toEqual({
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      ref: 'refs/beckon/run/name',
      head: git(root, 'rev-parse', 'HEAD').trim(),
      branch: 'main',
      root,
      dirty: true,
      leftOut: [],
    })
  })

  it('leaves index, HEAD, branches, reflog, stash, settings and files as they are', async () => {
    const root = repository({ a: '1', b: '1' })
    write(root, { a: 'stashed' })
    git(root, 'stash')
    write(root, { a: '2', c: '3' })
    git(root, 'add', 'a')
    write(root, { a: '4' })
    const before = everything(root)
    await take(root)
    await take(root, 'again')
    expect(everything(root)).toEqual(before)
  })

  it('is kept by gc, and found under its run and name', async () => {
    const root = repository({ a: '1' })
    write(root, { a: '2', b: '3' })
    const { commit } = await take(root)
    git(root, '-c', 'gc.reflogExpire=now', 'gc', '-q', '--prune=now')
    expect(git(root, 'rev-parse', 'refs/beckon/run/name').trim()).toBe(commit)
    expect(git(root, 'show', `${commit}:b`)).toBe('3')
  })

  it('is clean where there is nothing to commit, though files were touched', async () => {
    const root = repository({ a: '1' })
    expect((await take(root)).dirty).toBe(false)
    utimesSync(join(root, 'a'), 1, 1)
    expect((await take(root)).dirty).toBe(false)
    write(root, { a: '2' })
    expect((await take(root)).dirty).toBe(true)
  })

  it('sees a change that kept size and time', async () => {
    const root = repository({ a: 'one', b: 'one' })
    for (let i = 0; i < 20; i++) {
      write(root, { a: `n${String(i).padStart(2, '0')}` })
      expect(contents(root, await take(root)).a).toBe(`n${String(i).padStart(2, '0')}`)
    }
    // As git itself has it, the time of the last change of status gives such a change away.
    const { atimeMs, mtimeMs } = statSync(join(root, 'b'))
    await take(root)
    await new Promise(resolve => setTimeout(resolve, 1_100))
    write(root, { b: 'two' })
    utimesSync(join(root, 'b'), atimeMs / 1000, mtimeMs / 1000)
    expect(contents(root, await take(root)).b).toBe('two')
  })

  it('of a subdirectory is of the whole tree', async () => {
    const root = repository({ a: '1', 'sub/b': '1' })
    write(root, { a: '2' })
    const snapshot = await take(join(root, 'sub'))
    expect(snapshot.root).toBe(root)
    expect(contents(root, snapshot).a).toBe('2')
  })

  it('works before the first commit', async () => {
    const root = repository()
    expect(await take(root)).toMatchObject({ head: null, branch: 'main', dirty: false })
    write(root, { a: '1' })
    const snapshot = await take(root)
    expect(snapshot).toMatchObject({ head: null, branch: 'main', dirty: true })
    write(root, { a: '2', b: '2' })
    await restoreSnapshot(snapshot, { force: true })
    expect(files(root)).toEqual(new Map([['a', 'file 1']]))
  })

  it('works with a detached HEAD', async () => {
    const root = repository({ a: '1' })
    git(root, 'checkout', '-q', '--detach')
    expect(await take(root)).toMatchObject({ head: expect.any(String), branch: null })
  })

  it('works in the middle of a merge and of a rebase', async () => {
    for (const verb of ['merge', 'rebase']) {
      const root = repository({ a: 'base\n', b: 'base\n' })
      git(root, 'checkout', '-q', '-b', 'other')
      commit(root, { a: 'other\n', b: 'other\n' })
      git(root, 'checkout', '-q', 'main')
      commit(root, { a: 'main\n' })
      expect(() => git(root, verb, 'other')).toThrow()
      const before = everything(root)
      const snapshot = await take(root)
      expect(everything(root)).toEqual(before)
      expect(contents(root, snapshot).a).toContain('<<<<<<<')
      write(root, { a: 'resolved\n' })
      await restoreSnapshot(snapshot, { force: true })
      expect(everything(root)).toEqual(before)
      await expect(restoreSnapshot(snapshot, { checkoutHead: true, force: true })).rejects.toThrow('in progress')
    }
  })

  it('works while another git holds the index', async () => {
    const root = repository({ a: '1' })
    write(root, { a: '2', '.git/index.lock': '' })
    const snapshot = await take(root)
    write(root, { a: '3' })
    await restoreSnapshot(snapshot, { force: true })
    expect(read(root, 'a')).toBe('2')
  })

  it('works several at a time', async () => {
    const root = repository({ a: '1' })
    write(root, { a: '2', b: '3' })
    const snapshots = await Promise.all(Array.from({ length: 8 }, (_, i) => take(root, `n${i}`)))
    for (const snapshot of snapshots) expect(contents(root, snapshot)).toEqual({ a: '2', b: '3' })
  })

  it('takes any run and name, and refuses none at all', async () => {
    const root = repository({ a: '1' })
    const odd = { run: '../r un.lock/ü', name: '@{-1}~^:?*[\\\n' }
    expect(await takeSnapshot(root, odd)).toHaveProperty('commit')
    expect(await takeSnapshot(root, { run: '', name: 'n' })).toEqual({ error: expect.stringContaining('needs a run') })
    expect(await takeSnapshot(root, { run: 'x'.repeat(5_000), name: 'n' })).toHaveProperty('error')
    expect(await deleteSnapshots(root, odd.run)).toBe(1)
  })

  it('begins anew when what it remembered is damaged', async () => {
    const root = repository({ a: '1' })
    write(root, { b: '2' })
    await take(root)
    write(root, { '.git/beckon/index': 'nonsense' })
    expect(contents(root, await take(root))).toEqual({ a: '1', b: '2' })
    await deleteSnapshots(root, 'run')
    await take(root)
    git(root, 'update-ref', '-d', 'refs/beckon/run/name')
    git(root, 'gc', '-q', '--prune=now')
    expect(contents(root, await take(root))).toEqual({ a: '1', b: '2' })
  })

  it('is quick in a repository of 10,000 files', { timeout: 120_000 }, async () => {
    const root = repository(
      Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`d${i % 100}/f${i}`, `${i}\n`.repeat(100)])),
    )
    write(root, { 'd1/f1': 'changed', untracked: 'new' })
    const first = await timed(() => take(root))
    write(root, { 'd1/f1': 'changed again' })
    const second = await timed(() => take(root))
    expect(first).toBeLessThan(10_000)
    expect(second).toBeLessThan(5_000)
  })
})

describe('where there is nothing to take a snapshot of', () => {
  it('is null without a repository, in a bare one, in .git, and where the directory is gone', async () => {
    const folder = temporaryFolder()
    const bare = temporaryFolder()
    git(bare, 'init', '-q', '--bare')
    const root = repository({ a: '1' })
    for (const cwd of [folder, bare, join(root, '.git'), join(folder, 'gone'), join(root, 'a')]) {
      expect(await takeSnapshot(cwd, { run: 'r', name: 'n' })).toBe(null)
    }
    expect(await diffOf(folder, null)).toBe(null)
    expect(await deleteSnapshots(folder, 'r')).toBe(0)
  })

  it('is null without git', async () => {
    const root = repository({ a: '1' })
    const path = process.env.PATH
    process.env.PATH = temporaryFolder()
    try {
      expect(await takeSnapshot(root, { run: 'r', name: 'n' })).toBe(null)
    } finally {
      process.env.PATH = path
    }
  })

  it('is an error, and not a throw, in a repository that is broken', async () => {
    const broken = [
      (root: string) => write(root, { '.git/config': '[core' }),
      (root: string) => write(root, { '.git/index': 'nonsense' }),
      (root: string) => rmSync(join(root, '.git/objects'), { recursive: true }),
      (root: string) => write(root, { '.git/HEAD': 'ref: refs/../../x' }),
      (root: string) => git(root, 'config', 'core.repositoryFormatVersion', '99'),
      (root: string) => {
        rmSync(join(root, '.git'), { recursive: true })
        write(root, { '.git': 'gitdir: /nowhere/at/all' })
      },
      (root: string) => write(root, { '.git/beckon': 'a file' }),
      (root: string) => git(root, 'update-ref', 'refs/beckon', 'HEAD'),
    ]
    for (const [i, damage] of broken.entries()) {
      const root = repository({ a: '1' })
      damage(root)
      const snapshot = await takeSnapshot(root, { run: 'r', name: 'n' })
      // A repository without objects or HEAD is none to git.
      expect(snapshot === null || 'error' in snapshot, `damage ${i}: ${JSON.stringify(snapshot)}`).toBe(true)
    }
  })

  it('is an error, and not a throw, in a repository that cannot be written to', async () => {
    const root = repository({ a: '1' })
    write(root, { a: '2' })
    await asSomebodyWithoutRights(root, async () => {
      expect(await takeSnapshot(root, { run: 'r', name: 'n' })).toEqual({
        error: expect.stringMatching(/cannot be written|EACCES|ermission/),
      })
    })
    expect(existsSync(join(root, '.git/beckon'))).toBe(false)
  })
})

describe('a hostile repository', () => {
  it('gets none of its programs run', async () => {
    const root = repository({ '.gitattributes': '* filter=x diff=x merge=x\n', a: '1\n', 'sub/x': '1\n' })
    const mark = join(temporaryFolder(), 'ran')
    const program = join(temporaryFolder(), 'program')
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >>'${mark}'\ncat\n`, { mode: 0o755 })
    const hooks = temporaryFolder()
    for (const hook of ['reference-transaction', 'post-index-change', 'post-checkout', 'pre-auto-gc']) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\necho ${hook} >>'${mark}'\n`, { mode: 0o755 })
    }
    const library = repository({ code: '1' })
    git(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, 'lib')
    git(root, 'commit', '-qm', 'lib')
    const hostile = (place: string) => {
      for (const name of [
        'filter.x.clean',
        'filter.x.smudge',
        'filter.x.process',
        'diff.x.textconv',
        'diff.x.command',
      ]) {
        git(place, 'config', name, program)
      }
      for (const name of [
        'diff.external',
        'core.fsmonitor',
        'core.pager',
        'core.sshCommand',
        'core.editor',
        'gpg.program',
      ]) {
        git(place, 'config', name, program)
      }
      for (const name of ['commit.gpgSign', 'core.untrackedCache', 'status.submoduleSummary'])
        git(place, 'config', name, 'true')
      git(place, 'config', 'core.hooksPath', hooks)
      git(place, 'config', 'core.logAllRefUpdates', 'always')
      git(place, 'config', 'alias.update-index', `!${program}`)
    }
    const moduleConfig = join(root, '.git/modules/lib')
    hostile(root)
    hostile(moduleConfig)
    appendFileSync(join(root, '.gitmodules'), '\tignore = none\n')
    write(root, { 'lib/dirty': '1', a: '2\n', b: '3\n' })
    rmSync(mark, { force: true })

    const surroundings = { GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere', GIT_EXTERNAL_DIFF: program, GIT_TRACE: '1' }
    Object.assign(process.env, surroundings)
    try {
      const snapshot = await take(root)
      write(root, { a: '4\n', c: '5\n' })
      expect(await diffOf(root, snapshot.commit)).toHaveLength(2)
      expect((await diffOf(root, null))?.length).toBeGreaterThan(2)
      await restoreSnapshot(snapshot, { force: true, checkoutHead: true })
      expect(await deleteSnapshots(root, 'run')).toBe(1)
    } finally {
      for (const name of Object.keys(surroundings)) delete process.env[name]
    }
    expect(read(root, 'a')).toBe('2\n')
    expect(existsSync(mark) ? readFileSync(mark, 'utf8') : '').toBe('')
    expect(existsSync(join(root, '.git/logs/refs/beckon'))).toBe(false)
  })

  it('does not lead out of the tree by a forged snapshot', async () => {
    const root = repository({ a: '1' })
    const snapshot = await take(root)
    const blob = git(root, 'hash-object', '-w', 'a').trim()
    const inner = gitWith(root, `100644 blob ${blob}\tconfig\n`, 'mktree').trim()
    for (const name of ['.git', '..']) {
      const tree = gitWith(root, `040000 tree ${inner}\t${name}\n`, 'mktree').trim()
      const forged = git(root, 'commit-tree', tree, '-m', 'forged').trim()
      await expect(restoreSnapshot({ ...snapshot, commit: forged }, { force: true })).rejects.toThrow()
    }
    expect(read(root, '.git/config')).not.toBe('1')
  })
})

describe('forgetting snapshots', () => {
  it('deletes the refs of one run and no others', async () => {
    const root = repository({ a: '1' })
    await take(root, 'one')
    await take(root, 'two')
    await takeSnapshot(root, { run: 'run2', name: 'one' })
    expect(await deleteSnapshots(root, 'run')).toBe(2)
    expect(git(root, 'for-each-ref', '--format=%(refname)', 'refs/beckon').trim()).toBe('refs/beckon/run2/one')
    expect(await deleteSnapshots(root, 'run')).toBe(0)
    expect(await deleteSnapshots(root, 'run2')).toBe(1)
    expect(readdirSync(join(root, '.git/beckon'))).toEqual([])
  })
})
