import { fileURLToPath } from 'node:url'
import { conversationsIn } from '../../agent/journal/folder.ts'
import { AgentLoop } from '../../agent/loop.ts'
import { chooseModel } from '../../agent/model/choose.ts'
import type { AgentOptions } from '../../agent/options.ts'
import { type AgentRun, registerRun } from '../../agent/run.ts'
import { classify } from '../../guard/index.ts'
import { homeOf } from '../../open-hub.ts'
import { BeckonError, invalid } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Context } from '../context.ts'

import type { AgentCommandOptions } from './options.ts'

export interface OpenedAgent {
  readonly loop: AgentLoop
  readonly run: AgentRun
  readonly isContinued: boolean
}

export interface Opening {
  readonly mode: 'agent' | 'chat'
  readonly name: string
  readonly onEvent: NonNullable<AgentOptions['onEvent']>
}

/** The conversation that was asked for, as a run of the hub. Everything that can be wrong is told before anything is stored. */
export async function openAgent(
  context: Context,
  hub: HubApi,
  options: AgentCommandOptions,
  { mode, name, onEvent }: Opening,
): Promise<OpenedAgent> {
  const { cwd, env } = context
  const model = chooseModel(options.model, env)
  const maxTurns = readCount(options.maxTurns, 'max-turns')
  const maxContextTokens = readCount(options.contextTokens, 'context-tokens')
  const home = homeOf(env)
  const [last] = options.continue ? conversationsIn(home, cwd, mode) : []
  if (options.continue && !last)
    throw new BeckonError('not_found', 'There is no conversation in this directory to continue.')
  const run = await registerRun(hub, {
    ...(last?.run ? { again: last.run } : {}),
    name,
    command: ['beckon', ...context.args],
    cwd,
    pid: process.pid,
    resumeCommand: resumeCommand(options),
    sleeps: true,
  })
  try {
    const loop = await AgentLoop.open({
      ...{ hub, model, home, cwd, env, mode, run, classify, maxTurns, maxContextTokens, onEvent },
      toolChoice: options.firstTool ? 'first' : 'auto',
      ...(last ? { folder: last.folder } : {}),
    })
    return { loop, run, isContinued: last !== undefined }
  } catch (error) {
    await run.end('failed')
    throw error
  }
}

/** How somebody else can bring it back, once its question is answered. */
function resumeCommand({ model }: AgentCommandOptions): string[] {
  const program = fileURLToPath(new URL('../../bin/beckon.js', import.meta.url))
  return [process.execPath, program, 'agent', 'run', '--continue', ...(model ? ['--model', model] : [])]
}

function readCount(source: string | undefined, path: string): number {
  const count = Number(source)
  if (Number.isInteger(count) && count > 0) return count
  throw invalid([{ path, message: 'must be a whole number above 0' }])
}
