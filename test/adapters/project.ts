import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Request } from '../../src/protocol/index.ts'
import { createSandbox, until } from '../cli/sandbox.ts'

const root = join(import.meta.dirname, '../..')
const examples = join(root, 'examples/adapters')

// The place where a crash must lose nothing. A program that is told so stops there, and the test kills it.
const marker = /^( *)\/\/ Killed here, .*$/m
const stop = "if (process.env.STOP) { console.log('stopped'); await new Promise(() => setInterval(() => {}, 2 ** 30)) }"

export type Project = Awaited<ReturnType<typeof createProject>>

/** A project of a user: the examples, Beckon as it is built, and the packages of a framework. */
export async function createProject(modules: string, packages: readonly string[]) {
  const sandbox = await createSandbox()
  const { cwd, hub } = sandbox
  for (const name of readdirSync(examples)) write(name, readFileSync(join(examples, name), 'utf8'))
  link('beckon', root)
  for (const name of packages) link(name, join(modules, name))
  return { ...sandbox, write, start, pending, lines }

  function write(name: string, code: string) {
    writeFileSync(join(cwd, name), code.replace(marker, `$1${stop}`))
  }

  function link(name: string, target: string) {
    const path = join(cwd, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path)
  }

  /** Starts a program; `stops`: it stops where a crash must lose nothing. */
  function start(program: string, { env = {}, stops = false }: { env?: Record<string, string>; stops?: boolean } = {}) {
    return sandbox.start([], { launcher: join(cwd, program), env: { ...env, ...(stops ? { STOP: '1' } : {}) } })
  }

  /** Waits for so many open requests, and returns them in the order of what they say. */
  async function pending(count: number): Promise<Request[]> {
    const all = await until(async () => {
      const { requests } = await hub.list()
      return requests.length === count ? requests : null
    }, `${count} open requests`)
    return all.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
  }

  /** What a program wrote into a file; none where there is no such file. */
  function lines(name: string): string[] {
    try {
      return readFileSync(join(cwd, name), 'utf8').trim().split('\n')
    } catch {
      return []
    }
  }
}

/** Ends a program as a crash does. */
export async function kill({ child, result }: ReturnType<Project['start']>): Promise<void> {
  child.kill('SIGKILL')
  await result
}

/** Waits until a program stands where a crash must lose nothing. */
export async function stopped(program: ReturnType<Project['start']>): Promise<void> {
  const { written } = program
  await until(
    () => written().stdout.includes('stopped') || (program.child.exitCode ?? null) !== null,
    'the program to stop',
  )
  if (!written().stdout.includes('stopped'))
    throw new Error(`The program ended: ${written().stdout}${written().stderr}`)
}

function textOf(request: Request): string {
  if (request.kind === 'approval') return JSON.stringify(request.action.input)
  return request.kind === 'question' ? (request.questions[0]?.question ?? '') : request.id
}
