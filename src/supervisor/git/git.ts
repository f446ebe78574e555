import { spawn } from 'node:child_process'
import { BeckonError, type ErrorCode } from '../../protocol/errors.ts'

export interface GitCall {
  cwd: string
  env?: Record<string, string>
  /** Further `-c` arguments. */
  settings?: readonly string[]
  input?: Buffer
  timeout?: number
  /** Cancels the call. */
  signal?: AbortSignal | undefined
  /** Gets the output as it comes; without it the output is collected, up to a limit. */
  onOutput?: (chunk: Buffer) => void
  /** Exit codes that are an answer, not an error. */
  accept?: readonly number[]
  /** Treats error messages as a failure, for commands that print one and exit with 0. */
  strict?: boolean
}

export interface GitEnd {
  code: number
  stdout: Buffer
  stderr: string
}

const defaultTimeout = 120_000
const killAfter = 2_000
const maxOutput = 256 * 1024 * 1024
const maxErrors = 64 * 1024

/** Runs git and returns what it printed. Throws a BeckonError with git's own message when it fails. */
export async function git(args: readonly string[], call: GitCall): Promise<Buffer> {
  const end = await runGit(args, call)
  const succeeded = end.code === 0 && !(call.strict && /^error: /m.test(end.stderr))
  if (succeeded || call.accept?.includes(end.code)) return end.stdout
  throw failed(args, end.stderr)
}

/** Runs git to its end, with whatever exit code; only a git that cannot start, or does not end, is an error. */
export function runGit(args: readonly string[], call: GitCall): Promise<GitEnd> {
  if (call.signal?.aborted) return Promise.reject(cancelled(args))
  const { promise, resolve, reject } = Promise.withResolvers<GitEnd>()
  const child = spawn('git', [...settings.flatMap(one => ['-c', one]), ...(call.settings ?? []), ...args], {
    cwd: call.cwd,
    env: { ...withoutGit(process.env), ...baseEnvironment, ...call.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const stdout: Buffer[] = []
  let errors = ''
  let length = 0
  let failure: BeckonError | null = null

  const stop = (reason: BeckonError) => {
    failure ??= reason
    // SIGTERM first, so that git removes its lock files.
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), killAfter).unref()
  }
  const timer = setTimeout(() => stop(gitError(args, 'timed_out', 'took too long')), call.timeout ?? defaultTimeout)
  const onAbort = () => stop(cancelled(args))
  call.signal?.addEventListener('abort', onAbort, { once: true })
  const release = () => {
    clearTimeout(timer)
    call.signal?.removeEventListener('abort', onAbort)
  }

  // The streams are missing where git could not be started for want of descriptors.
  child.stdout?.on('data', (chunk: Buffer) => {
    if (call.onOutput) return call.onOutput(chunk)
    length += chunk.length
    if (length > maxOutput) stop(gitError(args, 'unsupported', 'printed too much'))
    else stdout.push(chunk)
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(0, maxErrors)
  })
  // Git may end before it reads all input: its exit code says more than our broken pipe.
  child.stdin?.on('error', () => {})
  child.stdin?.end(call.input)
  child.on('error', error => {
    release()
    reject(error)
  })
  child.on('close', code => {
    release()
    if (failure) reject(failure)
    else resolve({ code: code ?? 128, stdout: Buffer.concat(stdout), stderr: errors })
  })
  return promise
}

/** Whether git could not even start: it is not installed, or the directory does not exist. */
export function cannotStart(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))
}

// A repository's configuration can name programs to run. These settings turn off those that our commands would run. For
// commands that read files (filters, text conversions, external diffs) there is the isolated git folder.
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.alternateRefsCommand=',
  'core.logAllRefUpdates=false',
  'protocol.allow=never',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
]

const name = 'beckon'
const email = 'beckon@localhost'
const baseEnvironment = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
}

function withoutGit(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_')))
}

function cancelled(args: readonly string[]): BeckonError {
  return gitError(args, 'timed_out', 'was cancelled')
}

function gitError(args: readonly string[], code: ErrorCode, reason: string): BeckonError {
  return new BeckonError(code, `git ${args[0]} ${reason}`)
}

function failed(args: readonly string[], stderr: string): BeckonError {
  const lines = stderr.split('\n').filter(line => line.trim() !== '')
  const message = lines.find(line => /^(fatal|error): /.test(line)) ?? lines[0] ?? 'failed without a message'
  return new BeckonError(errorCodeOf(stderr), `git ${args[0]}: ${message}`)
}

function errorCodeOf(stderr: string): ErrorCode {
  if (/No space left|quota exceeded/i.test(stderr)) return 'disk_full'
  if (/Read-only file system|Permission denied|insufficient permission/.test(stderr)) return 'read_only'
  return 'unsupported'
}
