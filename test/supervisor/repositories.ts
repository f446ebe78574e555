import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll } from 'vitest'
import { diffOf as diffOfAny, type FileDiff } from '../../src/supervisor/git/diff.ts'
import { type Snapshot, takeSnapshot } from '../../src/supervisor/git/snapshot.ts'
import { temporaryFolder } from '../setup/databases.ts'

// The tests do not use the git settings of the person who runs them.
beforeAll(() => {
  process.env.HOME = temporaryFolder()
  delete process.env.XDG_CONFIG_HOME
})

export function repository(content: Record<string, string> = {}): string {
  const root = temporaryFolder()
  git(root, 'init', '-q', '-b', 'main')
  if (Object.keys(content).length > 0) commit(root, content)
  return root
}

export function commit(root: string, content: Record<string, string>, ...only: string[]): void {
  write(root, content)
  git(root, 'add', ...(only.length > 0 ? only : ['-A']))
  git(root, 'commit', '-q', '-m', 'x', ...(only.length > 0 ? ['--', ...only] : []))
}

export function write(root: string, content: Record<string, string>): void {
  for (const [name, text] of Object.entries(content)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}

export function read(root: string, name: string): string {
  return readFileSync(join(root, name), 'utf8')
}

export function git(cwd: string, ...args: string[]): string {
  return gitWith(cwd, '', ...args)
}

export function gitWith(cwd: string, input: string, ...args: string[]): string {
  const names = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap(who => [
      [`GIT_${who}_NAME`, 'test'],
      [`GIT_${who}_EMAIL`, 'test@localhost'],
    ]),
  )
  const env = { ...process.env, ...names, GIT_CONFIG_NOSYSTEM: '1', GIT_OPTIONAL_LOCKS: '0', GIT_EDITOR: 'true' }
  return execFileSync('git', args, { cwd, env, input, encoding: 'utf8', stdio: 'pipe', maxBuffer: 1 << 28 })
}

export async function take(cwd: string, name = 'name', limits?: { largest: number; total: number }): Promise<Snapshot> {
  const snapshot = await takeSnapshot(cwd, { run: 'run', name }, { limits })
  if (!snapshot || 'error' in snapshot) throw new Error(`no snapshot: ${JSON.stringify(snapshot)}`)
  return snapshot
}

export async function diffOf(...args: Parameters<typeof diffOfAny>): Promise<FileDiff[]> {
  const diffs = await diffOfAny(...args)
  if (!diffs) throw new Error('there is no repository')
  return diffs
}

/** The files of a snapshot, as they are in its tree. */
export function contents(root: string, snapshot: Snapshot | null): Record<string, string> {
  const records = git(root, 'ls-tree', '-r', '-z', snapshot?.commit ?? '')
    .split('\0')
    .slice(0, -1)
  const blobs = records.filter(record => record.includes(' blob '))
  return Object.fromEntries(
    blobs.map(record => {
      const [about = '', name = ''] = record.split('\t')
      return [name, git(root, 'cat-file', 'blob', about.split(' ')[2] ?? '')]
    }),
  )
}

/** All files except git's own: content, executable bit and link target. Names are Latin-1 bytes. */
export function files(root: string, folder = ''): Map<string, string> {
  const found = new Map<string, string>()
  const at = (name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')])
  for (const entry of readdirSync(at(folder), { withFileTypes: true, encoding: 'buffer' })) {
    const name = folder + entry.name.toString('latin1')
    if (entry.isDirectory() && name === '.git') continue
    if (entry.isDirectory()) for (const inside of files(root, `${name}/`)) found.set(...inside)
    else if (entry.isSymbolicLink()) found.set(name, `link ${readlinkSync(at(name))}`)
    else if (entry.isFile()) {
      const executable = (lstatSync(at(name)).mode & 0o100) !== 0
      found.set(name, `${executable ? 'program' : 'file'} ${readFileSync(at(name), 'latin1')}`)
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Everything that taking a snapshot must not change. */
export function everything(root: string) {
  const inGit = (name: string) =>
    existsSync(join(root, '.git', name)) ? readFileSync(join(root, '.git', name), 'hex') : null
  return {
    files: files(root),
    index: inGit('index'),
    HEAD: inGit('HEAD'),
    settings: inGit('config'),
    mergeHead: inGit('MERGE_HEAD'),
    refs: git(root, 'for-each-ref')
      .split('\n')
      .filter(line => !line.includes('refs/beckon/')),
    logs: existsSync(join(root, '.git/logs')) ? files(join(root, '.git/logs')) : null,
    stash: git(root, 'stash', 'list'),
    status: git(root, 'status', '--porcelain=v2', '--branch', '-z'),
  }
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return Math.round(performance.now() - start)
}

/** Makes the folder read-only and, because root may write anywhere, runs the work as `nobody`. */
export async function asUnprivilegedUser(root: string, work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0
  const nobody = 65_534
  const paths = execFileSync('find', [root, '-print0'], { encoding: 'utf8' }).split('\0').slice(0, -1)
  for (const path of paths) {
    if (isRoot) chownSync(path, nobody, nobody)
    chmodSync(path, statSync(path).mode & 0o555)
  }
  if (isRoot) process.seteuid?.(nobody)
  try {
    await work()
  } finally {
    if (isRoot) process.seteuid?.(0)
    for (const path of paths) chmodSync(path, statSync(path).mode | 0o200)
  }
}
