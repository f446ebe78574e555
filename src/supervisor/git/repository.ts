import { resolve } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { cannotStart, type GitCall, git, runGit } from './git.ts'

/** A working tree and its repository. */
export interface Repository {
  readonly root: string
  readonly gitDir: string
  readonly objects: string
  readonly format: string
  /** A clone that has not fetched all objects. */
  readonly partial: boolean
  readonly settings: ReadonlyMap<string, string>
  /** Cancels every git command that we run in it. */
  readonly signal?: AbortSignal | undefined
}

export interface Head {
  readonly head: string | null
  readonly branch: string | null
}

/** The repository of a directory; null when there is none, or it has no working tree here. */
export async function findRepository(cwd: string, signal?: AbortSignal): Promise<Repository | null> {
  try {
    const args = ['rev-parse', '--is-inside-work-tree', '--show-object-format']
    const { code, stdout, stderr } = await runGit(args, { cwd, signal })
    if (code !== 0 && /not a git repository \(or any/.test(stderr)) return null
    const [inside, format = 'sha1'] = stdout.toString().split('\n')
    if (code === 0 && inside !== 'true') return null
    if (code !== 0)
      throw new BeckonError('unsupported', stderr.trim().split('\n')[0] || 'git cannot read this repository')
    return await describe(cwd, format, signal)
  } catch (error) {
    if (cannotStart(error)) return null
    if (error instanceof BeckonError) throw error
    throw new BeckonError('unsupported', `git cannot be run in ${cwd}`, null, error)
  }
}

export async function openRepository(root: string): Promise<Repository> {
  const repository = await findRepository(root)
  if (repository?.root !== root) throw new BeckonError('not_found', `${root} is not a git repository any more`)
  return repository
}

/** Runs git in the repository with its own settings. Only for commands that do not read files. */
export function gitIn(repository: Repository, args: readonly string[], call?: Partial<GitCall>): Promise<Buffer> {
  return git(args, { cwd: repository.root, signal: repository.signal, ...call })
}

export async function readHead(repository: Repository): Promise<Head> {
  const [head, branch] = await Promise.all([
    gitIn(repository, ['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], { accept: [1] }),
    gitIn(repository, ['symbolic-ref', '--quiet', 'HEAD'], { accept: [1] }),
  ])
  return { head: line(head) || null, branch: line(branch).replace(/^refs\/heads\//, '') || null }
}

/** The output without its final line break. */
export function line(output: Buffer): string {
  return output.toString().replace(/\n$/, '')
}

// One call for each: a path can contain line breaks.
async function describe(cwd: string, format: string, signal?: AbortSignal): Promise<Repository> {
  const ask = async (...args: string[]) => line(await git(['rev-parse', ...args], { cwd, signal }))
  const [root, gitDir, objects, settings] = await Promise.all([
    ask('--show-toplevel'),
    ask('--absolute-git-dir'),
    ask('--git-path', 'objects'),
    readSettings(cwd),
  ])
  const partial = [...settings.keys()].some(name => !name.startsWith('core.'))
  return { root, gitDir, objects: resolve(cwd, objects), format, partial, settings, signal }
}

const neededSettings =
  '^(core[.](filemode|ignorecase|autocrlf|eol|attributesfile)|extensions[.]partialclone|remote[.].*[.]promisor)$'

async function readSettings(cwd: string): Promise<Map<string, string>> {
  const output = await git(['config', '-z', '--get-regexp', neededSettings], { cwd, accept: [1] })
  const entries = output.toString().split('\0').slice(0, -1)
  // A setting without a value means true.
  return new Map(
    entries.map(entry => {
      const [name = '', ...value] = entry.split('\n')
      return [name, value.length > 0 ? value.join('\n') : 'true']
    }),
  )
}
