import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { type GitCall, git } from './git.ts'
import { gitIn, line, type Repository } from './repository.ts'

/**
 * A git folder of our own over the same files and the same object store. It has none of the repository's settings, so no
 * program that they name runs, and its attributes override those in the tree: git stores the bytes as they are.
 */
export interface IsolatedGit {
  /** Removed afterwards; on the repository's file system, so that files can be moved from it into place. */
  readonly folder: string
  readonly git: RunGit
  /** Another one, with git's own conversions (line ends, encodings), for comparing with commits. */
  converting(): Promise<{ gitDir: string; git: RunGit }>
}

type RunGit = (args: readonly string[], call?: Partial<GitCall>) => Promise<Buffer>

export async function withIsolatedGit<T>(
  repository: Repository,
  work: (isolated: IsolatedGit) => Promise<T>,
): Promise<T> {
  const ours = await ourFolder(repository)
  const folder = await mkdtemp(join(ours, prefix)).catch(cannotWrite)
  try {
    return await work(await makeIsolatedGit(repository, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Our folder inside the repository's git folder. */
export function beckonFolder(repository: Repository): string {
  return join(repository.gitDir, 'beckon')
}

const prefix = 'work-'
const staleAfter = 60 * 60 * 1000

async function ourFolder(repository: Repository): Promise<string> {
  const folder = beckonFolder(repository)
  await mkdir(folder, { mode: 0o700 }).catch(error => {
    if (error.code !== 'EEXIST') cannotWrite(error)
  })
  await removeStale(folder)
  return folder
}

/** Removes what a killed process left. */
async function removeStale(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(name => name.startsWith(prefix))) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > staleAfter) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

function cannotWrite(error: unknown): never {
  const reason = error instanceof Error && 'code' in error ? error.code : 'unknown error'
  if (reason === 'ENOSPC' || reason === 'EDQUOT')
    throw new BeckonError('disk_full', 'The disk of the repository is full')
  throw new BeckonError('read_only', `The repository cannot be written to (${reason})`)
}

async function makeIsolatedGit(repository: Repository, folder: string): Promise<IsolatedGit> {
  const raw = await makeGitFolder(join(folder, 'raw'), repository, unconverted)
  return {
    folder,
    git: runner(repository, raw, []),
    converting: async () => {
      const attributes = `${await ownAttributes(repository)}\n* -filter\n`
      const converting = await makeGitFolder(await mkdtemp(join(folder, 'converting-')), repository, attributes)
      return { gitDir: converting, git: runner(repository, converting, conversionsOf(repository)) }
    },
  }
}

// The diff attribute too: with it, an agent could hide its changes from a review.
const unconverted = '* -text -eol -crlf -ident -filter -working-tree-encoding !diff\n'

async function makeGitFolder(folder: string, { format }: Repository, attributes: string): Promise<string> {
  await mkdir(join(folder, 'refs'), { recursive: true })
  await mkdir(join(folder, 'info'))
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n')
  await writeFile(join(folder, 'info', 'attributes'), attributes, 'latin1')
  // Unlike other settings, git reads this one only from the file.
  const version = format === 'sha1' ? 0 : 1
  const extension = version === 0 ? '' : `[extensions]\nobjectFormat = ${format}\n`
  await writeFile(join(folder, 'config'), `[core]\nrepositoryFormatVersion = ${version}\n${extension}`)
  return folder
}

async function ownAttributes(repository: Repository): Promise<string> {
  const path = line(await gitIn(repository, ['rev-parse', '--git-path', 'info/attributes']))
  return readFile(resolve(repository.root, path), 'latin1').catch(() => '')
}

function runner(repository: Repository, gitDir: string, more: readonly string[]): RunGit {
  const settings = [...settingsOf(repository), ...more].flatMap(one => ['-c', one])
  const env = environment(repository, gitDir)
  return (args, call) =>
    git(args, {
      cwd: repository.root,
      signal: repository.signal,
      ...call,
      settings: [...settings, ...(call?.settings ?? [])],
      env: { ...env, ...call?.env },
    })
}

function settingsOf({ settings }: Repository): string[] {
  return [
    `core.fileMode=${settings.get('core.filemode') ?? 'true'}`,
    // A name that is special on another system only is allowed here: the snapshot stays on this machine.
    `core.protectNTFS=${process.platform === 'win32'}`,
    `core.protectHFS=${process.platform === 'darwin'}`,
    // The database refers to snapshots, so they should survive a power cut as the database does.
    'core.fsync=committed,loose-object',
    'core.fsyncMethod=batch',
    'core.quotePath=true',
    'core.safecrlf=false',
  ]
}

function conversionsOf({ settings }: Repository): string[] {
  return ['core.autocrlf', 'core.eol', 'core.attributesfile'].flatMap(name =>
    settings.has(name) ? [`${name}=${settings.get(name)}`] : [],
  )
}

function environment(repository: Repository, gitDir: string): Record<string, string> {
  return {
    GIT_DIR: gitDir,
    GIT_WORK_TREE: repository.root,
    GIT_OBJECT_DIRECTORY: repository.objects,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
  }
}
