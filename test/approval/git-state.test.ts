import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createGitStateReader } from '../../src/approval/git/git-state.ts'

const folders: string[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('how git holds a path', () => {
  it('is committed where the last commit has all of it, or nothing is there', () => {
    const { root } = repository({ 'src/old/a.ts': 'a' })
    expect(stateOf(root, 'src/old')).toBe('committed')
    expect(stateOf(root, 'nothing')).toBe('committed')
    mkdirSync(join(root, 'empty'))
    expect(stateOf(root, 'empty')).toBe('committed')
  })

  it('is uncommitted with a file below it that is new, changed or only staged', () => {
    const { root, git } = repository({ 'src/old/a.ts': 'a', 'lib/b.ts': 'b' })
    write(root, { 'src/old/deep/new.ts': 'x', 'lib/b.ts': 'changed' })
    expect(stateOf(root, 'src/old')).toBe('uncommitted')
    expect(stateOf(root, 'src/old/a.ts')).toBe('committed')
    expect(stateOf(root, 'lib')).toBe('uncommitted')
    git('add', '.')
    expect(stateOf(root, 'src/old')).toBe('uncommitted')
    git('commit', '-qm', 'all')
    expect(stateOf(root, 'src/old')).toBe('committed')
    rmSync(join(root, 'lib/b.ts'))
    expect(stateOf(root, 'lib')).toBe('committed')
  })

  it('is ignored with a file below it that git ignores, unless a build makes it again', () => {
    const { root } = repository({ '.gitignore': '.env\n*.sqlite\nnode_modules/\nprivate/\n', 'app/a.ts': 'a' })
    write(root, { 'app/node_modules/x/index.js': '', 'app/dist/a.js': '', 'app/debug.log': '' })
    expect(stateOf(root, 'app')).toBe('committed')
    write(root, { 'app/.env': 'KEY=1', 'db/dev.sqlite': '', 'private/diary': '' })
    expect(stateOf(root, 'app')).toBe('ignored')
    expect(stateOf(root, 'db')).toBe('ignored')
    expect(stateOf(root, 'private/diary')).toBe('ignored')
  })

  it('does not depend on the names of the folders around a workspace', () => {
    const { root } = repository({ '.gitignore': 'tmp/\n', 'a.ts': 'a' })
    write(root, { 'build/app/thesis/1.md': '', 'build/app/dist/a.js': '', 'tmp/app/thesis/1.md': '' })
    expect(stateOf(root, 'build/app/thesis')).toBe('uncommitted')
    expect(stateOf(root, 'build/app', '**/*.md')).toBe('uncommitted')
    expect(stateOf(root, 'build/app', '**/*.js')).toBe('committed')
    expect(stateOf(root, 'tmp/app/thesis')).toBe('ignored')
  })

  it('is asked for patterns, in a folder and at any depth', () => {
    const { root } = repository({ 'src/a.ts': 'a', 'odd [name]/a.ts': 'a' })
    write(root, { 'src/deep/b.bak': '', 'odd [name]/b.bak': '' })
    expect(stateOf(root, 'src', '*.ts')).toBe('committed')
    expect(stateOf(root, 'src', '*.bak')).toBe('committed')
    expect(stateOf(root, 'src', '**/*.bak')).toBe('uncommitted')
    expect(stateOf(root, 'odd [name]', '*.bak')).toBe('uncommitted')
    expect(stateOf(root, 'odd [name]')).toBe('uncommitted')
  })

  it('is uncommitted for a repository inside of another', () => {
    const { root } = repository({ 'a.ts': 'a' })
    mkdirSync(join(root, 'nested'))
    init(join(root, 'nested'), { 'b.ts': 'b' })
    expect(stateOf(root, 'nested')).toBe('uncommitted')
  })

  it('is unknown behind a link, and for a submodule', () => {
    const { root, git } = repository({ 'src/a.ts': 'a' })
    const { root: other } = repository({ 'lib/b.ts': 'b' })
    symlinkSync(join(other, 'lib'), join(root, 'link'))
    expect(stateOf(root, 'link/b.ts')).toBe('unknown')
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'libs/sub')
    git('commit', '-qm', 'a submodule')
    expect(stateOf(root, 'libs')).toBe('unknown')
    // Inside of it, its own repository says.
    expect(stateOf(root, 'libs/sub/lib/b.ts')).toBe('committed')
    expect(stateOf(root, 'src')).toBe('committed')
  })

  it('is no-repository where there is none, without starting git', () => {
    vi.stubEnv('PATH', '')
    expect(stateOf(temporary(), 'thesis')).toBe('no-repository')
  })

  it('is unknown without git, and in a repository that git cannot read', () => {
    const { root } = repository({ 'a.ts': 'a' })
    const broken = temporary()
    mkdirSync(join(broken, '.git'))
    expect(stateOf(broken, 'x')).toBe('unknown')
    vi.stubEnv('PATH', '')
    expect(stateOf(root, 'a.ts')).toBe('unknown')
  })

  it('is unknown after fifty questions about one command', () => {
    const { root } = repository({ 'a.ts': 'a' })
    const read = createGitStateReader()
    for (let i = 0; i < 50; i += 1) expect(read(join(temporary(), `${i}`), null)).toBe('no-repository')
    expect(read(join(root, 'a.ts'), null)).toBe('unknown')
  })

  it('follows neither the variables nor the settings of the one who asks', () => {
    const { root } = repository({ 'a.ts': 'a' })
    const { root: other } = repository({ 'a.ts': 'a' })
    write(root, { 'a.ts': 'changed' })
    vi.stubEnv('GIT_DIR', join(other, '.git'))
    vi.stubEnv('GIT_WORK_TREE', other)
    expect(stateOf(root, 'a.ts')).toBe('uncommitted')
  })
})

describe('a repository from a stranger', () => {
  it('starts nothing: no monitor, no hook, no filter, no pager, no alias, no transport', () => {
    const { root, git } = repository({ '.gitattributes': '* filter=evil\n*.x filter=other\n', 'a.ts': 'a', 'b.x': 'b' })
    const mark = join(temporary(), 'started')
    const program = join(root, '.git/evil.sh')
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 })
    mkdirSync(join(root, '.git/hooks'), { recursive: true })
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction'])
      writeFileSync(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
    for (const [key, value] of [
      ['core.fsmonitor', program],
      ['filter.evil.clean', program],
      ['filter.evil.smudge', program],
      ['filter.evil.required', 'true'],
      ['filter.other.process', program],
      ['filter.other.required', 'true'],
      ['core.pager', program],
      ['pager.status', program],
      ['alias.status', `!${program}`],
      ['core.sshCommand', program],
      ['core.gitProxy', program],
      ['diff.external', program],
      ['core.editor', program],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.url', 'ssh://host/x'],
      ['remote.origin.promisor', 'true'],
    ] as const)
      git('config', key, value)
    // Other times than the index has: git must look into the files.
    for (const file of ['a.ts', 'b.x']) utimesSync(join(root, file), 1, 1)
    expect(stateOf(root, 'a.ts')).toBe('committed')
    expect(stateOf(root, 'b.x')).toBe('committed')
    expect(existsSync(mark)).toBe(false)
  })

  it('is not asked where a filter cannot be switched off', () => {
    const { root } = repository({ 'a.ts': 'a' })
    writeFileSync(join(root, '.git/config'), '[filter "a=b"]\n\tclean = touch /tmp/x\n', { flag: 'a' })
    expect(stateOf(root, 'a.ts')).toBe('unknown')
  })

  it('does not bring its own git', () => {
    const { root } = repository({ 'a.ts': 'a' })
    const mark = join(temporary(), 'started')
    mkdirSync(join(root, 'bin'))
    writeFileSync(join(root, 'bin/git'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
    const elsewhere = temporary()
    symlinkSync(join(root, 'bin/git'), join(elsewhere, 'git'))
    vi.stubEnv('PATH', ['bin', '', join(root, 'bin'), elsewhere, process.env.PATH].join(delimiter))
    expect(stateOf(root, 'a.ts')).toBe('committed')
    expect(existsSync(mark)).toBe(false)
  })
})

function stateOf(root: string, path: string, pattern: string | null = null): string {
  return createGitStateReader()(join(root, path), pattern)
}

function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'beckon-git-')))
  folders.push(folder)
  return folder
}

function repository(files: Record<string, string>) {
  return init(temporary(), files)
}

function init(root: string, files: Record<string, string>) {
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const who = ['-c', 'user.name=me', '-c', 'user.email=me@example.com']
  const git = (...args: string[]) => execFileSync('git', [...who, ...args], { cwd: root, env, stdio: 'pipe' })
  git('init', '-q')
  write(root, files)
  git('add', '.')
  git('commit', '-qm', 'first')
  return { root, git }
}

function write(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
