import { readFileSync } from 'node:fs'
import type { Hook, HookReply } from '../../hooks/hook.ts'
import { invalid } from '../../protocol/errors.ts'
import { homePath } from '../../system/home.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { readDuration } from '../durations.ts'
import { interruption } from '../interruption.ts'
import { errorMessage } from '../output/error-message.ts'
import { print } from '../output/print.ts'
import { hubOnDemand } from './hub-on-demand.ts'
import { peoplesRules } from './peoples-rules.ts'

export interface HookOptions {
  wait?: string
  review?: boolean
  resume?: boolean
  confirm?: string
}

/**
 * Reads what the host says, answers it, and blocks whatever cannot be answered. The script around it (see
 * src/setup/hook-command.ts) believes an answer only with the exit code that it names.
 */
export async function runHook(context: Context, host: string, options: HookOptions): Promise<number> {
  const exitCode = await answerHost(context, host, options)
  return exitCode === 0 && options.confirm !== undefined ? Number(options.confirm) : exitCode
}

async function answerHost(context: Context, host: string, options: HookOptions): Promise<number> {
  // First of all: the host may kill what is around the hook at any moment, and then it is another one.
  const parent = process.ppid
  const hook = await hookOf(host)
  const interrupted = interruption({ kept: true })
  const hub = hubOnDemand(context, host)
  const { env } = context
  let input: unknown = null
  try {
    input = JSON.parse(await readInput(context))
    if (isProbe(input)) return await say(context, await answerProbe(context, hub))
    const wait = options.wait === undefined ? hook.wait : await readDuration(options.wait, '--wait', { zero: true })
    const reply = await hook.answer(input, {
      env,
      home: homePath(env),
      run: env.BECKON_RUN || null,
      parent,
      signal: interrupted.signal,
      wait,
      rules: () => peoplesRules(context, hub),
      open: hub.open,
      reviews: options.review ?? false,
      changes: async cwd => (await import('../review/changes.ts')).changesSinceCommit(cwd, interrupted.signal),
      sleepers: options.resume ? (await import('./sleepers.ts')).sleepersOf(context, hub) : null,
    })
    return await say(context, reply)
  } catch (error) {
    return await say(context, hook.refuse(input, describe(error)))
  } finally {
    // The host has its answer: what goes wrong from here on changes nothing.
    await hub.close().catch(() => {})
    interrupted.release()
  }
}

/** `beckon doctor` asks which hub a hook would ask; opening it shows that it can be reached. */
async function answerProbe(context: Context, hub: ReturnType<typeof hubOnDemand>): Promise<HookReply> {
  const { hub: opened } = await hub.open()
  await opened.list({ limit: 1 })
  const { describeHub } = await import('../mcp/hub.ts')
  return { output: { hub: harmlessTitle(describeHub(context)) }, message: null, exitCode: 0 }
}

function isProbe(input: unknown): boolean {
  return (
    typeof input === 'object' && input !== null && 'hook_event_name' in input && input.hook_event_name === 'BeckonProbe'
  )
}

/** Loaded alone: a hook starts before every call of a tool. */
async function hookOf(host: string): Promise<Hook> {
  switch (host) {
    case 'claude':
      return (await import('../../hooks/claude/claude.ts')).claudeHook
    case 'codex':
      return (await import('../../hooks/codex/codex.ts')).codexHook
    case 'gemini':
      return (await import('../../hooks/gemini/gemini.ts')).geminiHook
    case 'opencode':
      return (await import('../../hooks/opencode/opencode.ts')).opencodeHook
    default:
      throw invalid([{ path: 'host', message: `must be claude, codex, gemini or opencode, not "${host}"` }])
  }
}

// A tool may write a file of several megabytes.
const mostBytes = 64 * 1_048_576

/** Hosts write their document and close the pipe; opening stdin as a stream would take longer than reading it. */
async function readInput(context: Context): Promise<string> {
  try {
    return readFileSync(0, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    return readStdin(context)
  }
}

async function readStdin({ stdin }: Context): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk))
    size += chunk.length
    if (size > mostBytes) throw invalid([{ path: 'stdin', message: 'is longer than 64 MiB' }])
  }
  return Buffer.concat(chunks).toString('utf8')
}

function describe(error: unknown): string {
  if (error instanceof SyntaxError) return 'What the host wrote to stdin is not JSON.'
  return errorMessage(error)
}

async function say({ stdout, stderr }: Context, { output, message, exitCode }: HookReply): Promise<number> {
  if (message !== null) await print(stderr, `beckon: ${harmlessTitle(message)}\n`)
  if (output !== null) await print(stdout, `${JSON.stringify(output)}\n`)
  return exitCode
}
