import { spawn } from 'node:child_process'
import { BeckonError, type ErrorCode } from '../../protocol/errors.ts'

export interface GitCall {
  cwd: string
  env?: Record<string, string>
  /** Further `-c` arguments. */
  settings?: readonly string[]
  input?: Buffer
  timeout?: number
  /** Ends it before its time. */
  signal?: AbortSignal | undefined
  /** Takes the output as it comes; otherwise it is collected, up to a limit. */
  onOutput?: (chunk: Buffer) => void
  /** Exit codes that are an answer and no fault. */
  fine?: readonly number[]
  /** For commands that complain and end as if all were well. */
  strict?: boolean
}

export interface GitEnd {
  code: number
  stdout: Buffer
  stderr: string
}

const patience = 120_000
const patienceAfterTerm = 2_000
const longestOutput = 256 * 1024 * 1024
const longestComplaint = 64 * 1024

/** Runs git and gives what it printed. Whatever else happens is a BeckonError with git's own words. */
export async function git(args: readonly string[], call: GitCall): Promise<Buffer> {
  const end = await runGit(args, call)
  const well = end.code === 0 && !(call.strict && /^error: /m.test(end.stderr))
  if (well || call.fine?.includes(end.code)) return end.stdout
  throw faultOf(args, end.stderr)
}

/** Runs git to its end, however that comes out; only a git that cannot run, or never stops, is an error. */
export function runGit(args: readonly string[], call: GitCall): Promise<GitEnd> {
  if (call.signal?.aborted) return Promise.reject(givenUp(args))
  const { promise, resolve, reject } = Promise.withResolvers<GitEnd>()
  const child = spawn('git', [...settings.flatMap(one => ['-c', one]), ...(call.settings ?? []), ...args], {
    cwd: call.cwd,
    env: { ...withoutGit(process.env), ...surroundings, ...call.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const stdout: Buffer[] = []
  let complaint = ''
  let length = 0
  let failure: BeckonError | null = null

  const stop = (fault: BeckonError) => {
    failure ??= fault
    // Asked first, so that it takes its lock files with it.
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), patienceAfterTerm).unref()
  }
  const timer = setTimeout(() => stop(tooMuch(args, 'busy', 'took too long')), call.timeout ?? patience)
  const onAbort = () => stop(givenUp(args))
  call.signal?.addEventListener('abort', onAbort, { once: true })
  const release = () => {
    clearTimeout(timer)
    call.signal?.removeEventListener('abort', onAbort)
  }

  child.stdout.on('data', (chunk: Buffer) => {
    if (call.onOutput) return call.onOutput(chunk)
    length += chunk.length
    if (length > longestOutput) stop(tooMuch(args, 'unsupported', 'printed too much'))
    else stdout.push(chunk)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, longestComplaint)
  })
  // It may end without reading all: its exit code says more than our broken pipe.
  child.stdin.on('error', () => {})
  child.stdin.end(call.input)
  child.on('error', error => {
    release()
    reject(error)
  })
  child.on('close', code => {
    release()
    if (failure) reject(failure)
    else resolve({ code: code ?? 128, stdout: Buffer.concat(stdout), stderr: complaint })
  })
  return promise
}

/** For errors on the way to running git at all: there is none, or no such directory. */
export function cannotStart(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))
}

// A repository's own configuration can name programs to run. These are the ones that what we run in it would obey; for
// all that looks into files (filters, text conversions, external diffs) there is the isolated, which has no such settings.
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
const surroundings = {
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

function givenUp(args: readonly string[]): BeckonError {
  return tooMuch(args, 'busy', 'was given up')
}

function tooMuch(args: readonly string[], code: ErrorCode, reason: string): BeckonError {
  return new BeckonError(code, `git ${args[0]} ${reason}`)
}

function faultOf(args: readonly string[], stderr: string): BeckonError {
  const lines = stderr.split('\n').filter(line => line.trim() !== '')
  const said = lines.find(line => /^(fatal|error): /.test(line)) ?? lines[0] ?? 'it failed and did not say why'
  return new BeckonError(codeOf(stderr), `git ${args[0]}: ${said}`)
}

function codeOf(stderr: string): ErrorCode {
  if (/No space left|quota exceeded/i.test(stderr)) return 'disk_full'
  if (/Read-only file system|Permission denied|insufficient permission/.test(stderr)) return 'read_only'
  return 'unsupported'
}
