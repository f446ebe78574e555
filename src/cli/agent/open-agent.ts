import { basename, delimiter } from 'node:path'
import { conversationsIn, newConversationFolder, readConversation } from '../../agent/journal/folder.ts'
import { reserveFolder } from '../../agent/journal/lock.ts'
import { AgentLoop } from '../../agent/loop.ts'
import { type ChosenModel, chooseModel } from '../../agent/model/choose.ts'
import type { AgentOptions } from '../../agent/options.ts'
import { type AgentRun, registerRun } from '../../agent/run.ts'
import { isStandardSetting, withGuardSetting } from '../../approval/guard-setting.ts'
import { classify } from '../../guard/index.ts'
import { BeckonError, invalid } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { StartRunInput } from '../../protocol/run.ts'
import type { FileSealer } from '../../supervisor/file-sealer.ts'
import { deleteWakeCommand, saveWakeCommand } from '../../supervisor/recovery/wake-command.ts'
import { homeOf } from '../../system/home.ts'
import { programFile } from '../../system/programs.ts'
import type { Context } from '../context.ts'
import { commandFolder } from '../run/agent-environment.ts'
import { supervisorContext } from '../run/context.ts'
import { openDebugLog } from './debug-log.ts'
import { fileCheckpoints } from './file-checkpoints.ts'
import type { AgentCommandOptions } from './options.ts'
import { openRunLog } from './run-log.ts'

export interface OpenedAgent {
  readonly loop: AgentLoop
  readonly run: AgentRun
  readonly isContinued: boolean
  /** Writes what the person said into the log of the run. */
  heard(text: string): void
}

export interface OpenAgentOptions {
  readonly mode: 'agent' | 'chat'
  /** The name of the run; null to keep the one it has. */
  readonly name: string | null
  readonly onEvent: NonNullable<AgentOptions['onEvent']>
}

/** The requested conversation, as a run of the hub. Every option is checked before anything is stored. */
export async function openAgent(
  context: Context,
  { hub, sealer }: { hub: HubApi; sealer: FileSealer },
  options: AgentCommandOptions,
  { mode, name, onEvent }: OpenAgentOptions,
): Promise<OpenedAgent> {
  const { cwd, env } = context
  const maxTurns = readCount(options.maxTurns, '--max-turns')
  const maxContextTokens = readCount(options.contextTokens, '--context-tokens')
  const openLog = options.debug === undefined ? null : openDebugLog(options.debug, context)
  const home = homeOf(env)
  // Checked before anything else: without a key there is nothing to do.
  if (options.model !== undefined || !options.continue) chooseModel(options.model, env)
  const last = options.continue ? findConversation(home, cwd, mode, options.conversation) : null
  const model = modelFor(options.model, last?.folder ?? null, env)
  const giveBack = last ? reserveFolder(last.folder) : () => {}
  const folder = last?.folder ?? newConversationFolder(home, context.now())
  const strict = options.strict ?? !isStandardSetting(env)
  const wakeCommand = wakeCommandOf(basename(folder), strict)
  const starting = startOrRestart(hub, last?.run ?? null, {
    ...(name === null ? {} : { name }),
    command: ['beckon', ...context.args],
    cwd,
    pid: process.pid,
    session: basename(folder),
    resumeCommand: wakeCommand,
    sleeps: true,
  })
  const started = await starting.catch(error => {
    giveBack()
    throw error
  })
  const { shipsLogs } = supervisorContext(context, hub, sealer)
  const log = await openRunLog({ hub, home, run: started.id, shipsLogs })
  const debug = openLog?.(hub, started.id) ?? null
  let ending: Promise<void> | null = null
  const run: AgentRun = {
    ...started,
    end(status, exitCode) {
      ending ??= finish(status !== 'asleep', () => started.end(status, exitCode))
      return ending
    },
    fail(reason, exitCode) {
      ending ??= finish(true, () => started.fail(reason, exitCode))
      return ending
    },
  }
  try {
    await saveWakeCommand(home, run.id, wakeCommand, env, sealer)
    const loop = await AgentLoop.open({
      // The commands that it runs can ask too, such as for a secret that the model never sees.
      env: {
        ...withGuardSetting(env, strict),
        BECKON_HOME: home,
        PATH: [commandFolder(home), env.PATH].filter(Boolean).join(delimiter),
      },
      ...{ hub, model, home, cwd, mode, folder, run, classify, maxTurns, maxContextTokens },
      onEvent(event) {
        log.take(event)
        debug?.take(event)
        onEvent(event)
      },
      mcp: true,
      sendsImages: true,
      plan: options.plan ?? false,
      ...(debug ? { onTraffic: debug.take } : {}),
      toolChoice: options.firstTool ? 'first' : 'auto',
      ...(mode === 'agent' ? { files: fileCheckpoints(hub, { id: run.id, cwd }, env) } : {}),
    })
    loop.setModel(model)
    return { loop, run, isContinued: last !== null, heard: log.heard }
  } catch (error) {
    giveBack()
    await run.fail(`It could not start: ${error instanceof Error ? error.message : error}`)
    throw error
  }

  /** Of several ends the first counts: what goes wrong while a run ends does not change how it ended. */
  async function finish(final: boolean, end: () => Promise<void>) {
    // A person who follows the log has all of it when the run ends. A full disk must not keep the run from ending.
    await log.close({ final }).catch(() => {})
    await debug?.close().catch(() => {})
    await end()
    if (final) deleteWakeCommand(home, started.id)
  }
}

function findConversation(home: string, cwd: string, mode: 'agent' | 'chat', id: string | undefined) {
  const found = conversationsIn(home, cwd, mode).find(({ folder }) => id === undefined || basename(folder) === id)
  if (found) return found
  throw new BeckonError('not_found', 'This directory has no conversation to continue. Start one without --continue.')
}

/** Starts the same run again, so that it keeps its requests; a new one if the hub no longer has it. */
async function startOrRestart(hub: HubApi, again: string | null, input: StartRunInput): Promise<AgentRun> {
  if (again === null) return registerRun(hub, input)
  return registerRun(hub, { ...input, again }).catch(error => {
    if (error instanceof BeckonError && error.code === 'not_found') return registerRun(hub, input)
    throw error
  })
}

/** The named one, or the one that the conversation had, if it can still be used. */
function modelFor(named: string | undefined, folder: string | null, env: NodeJS.ProcessEnv): ChosenModel {
  const had = named === undefined && folder !== null ? readConversation(folder).model : null
  if (had === null) return chooseModel(named, env)
  try {
    return chooseModel(had, env)
  } catch {
    return chooseModel(undefined, env)
  }
}

/** The command that continues the conversation once its question is answered. Its journal knows the model. */
function wakeCommandOf(conversation: string, strict: boolean): string[] {
  const setting = strict ? '--strict' : '--no-strict'
  const args = ['--continue', '--conversation', conversation, setting]
  return [process.execPath, programFile('beckon.js'), 'agent', 'run', ...args]
}

function readCount(source: string | undefined, flag: string): number {
  const count = Number(source)
  if (Number.isInteger(count) && count > 0) return count
  throw invalid([{ path: flag, message: 'must be a whole number above 0' }])
}
