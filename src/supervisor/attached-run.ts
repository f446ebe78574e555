import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '../protocol/run.ts'
import { isMachineFault } from '../system/machine-fault.ts'
import type { SupervisorContext } from './context.ts'
import { type RunFolder, runFolder } from './folder.ts'
import { addressOf, answersInCommandOf, type HolderAddress, prepareHolder } from './holder/address.ts'
import {
  type ConnectOptions,
  connectHolder,
  type HolderLink,
  type HolderListener,
  startHolder,
} from './holder/connect.ts'
import { endAll } from './processes/processes.ts'
import { type RunSettings, readsAnswersFromStdin, saveSettings } from './settings.ts'

/** A run whose holder we are connected to. */
export interface AttachedRun {
  run: Run
  settings: RunSettings
  folder: RunFolder
  env: NodeJS.ProcessEnv
  link: HolderLink
  /** Sends everything from the holder to this listener, what has come already first. */
  listen(listener: HolderListener): void
  /** Ids of the requests whose answers are in the command that started the agent. */
  answersInCommand: readonly string[]
}

export interface SpawnOptions {
  run: Run
  settings: RunSettings
  command: string[]
  env: NodeJS.ProcessEnv
  answersInCommand?: readonly string[]
}

// An event line of an agent may be long, and the holder keeps it until it is complete.
const eventBufferBytes = 32 * 1_024 * 1_024

/** Starts the agent of a run behind a new holder. */
export async function spawnRun(context: SupervisorContext, options: SpawnOptions): Promise<AttachedRun> {
  const { run, settings, command, env, answersInCommand = [] } = options
  const folder = runFolder(context.home, run.id)
  for (const name of ['exit.json', 'holder.json']) rmSync(join(folder.path, name), { force: true })
  const address = prepareHolder(folder.path, {
    command,
    cwd: run.cwd,
    start: randomBytes(9).toString('base64url'),
    // Answers go to stdin even where nothing that is typed does.
    stdin: settings.stdin === 'none' && !readsAnswersFromStdin(settings) ? 'none' : 'pipe',
    given: [...answersInCommand],
    pty: settings.pty ?? null,
    ...(settings.format === 'text' ? {} : { room: eventBufferBytes }),
  })
  saveSettings(folder.path, settings)
  const { started, isGone } = startHolder(context.holder, folder.path, { ...env, BECKON_RUN: run.id })
  await started
  const { link, listen } = await connect(address, { isGone }).catch(async error => {
    // A holder that ended may have started the agent, which would go on without anybody to answer it.
    await endAll(run.id, { grace: 0 })
    throw error
  })
  return { run, settings, folder, env, link, listen, answersInCommand }
}

/** Connects to the holder of an abandoned run; null where there is no holder, or another supervisor is connected. */
export async function attachRun(
  context: SupervisorContext,
  run: Run,
  settings: RunSettings,
): Promise<AttachedRun | null> {
  const folder = runFolder(context.home, run.id)
  const address = addressOf(folder.path)
  // For a moment, a holder may still count a supervisor that has just gone.
  for (let attempt = 0; attempt < 10 && address && existsSync(address.socket); attempt += 1) {
    const { link, listen } = await connect(address, { timeout: 0 }).catch(noHolder)
    if (link === null) return null
    if (!link.hello.attended) {
      saveSettings(folder.path, settings)
      const answersInCommand = answersInCommandOf(folder.path)
      return { run, settings, folder, env: context.env, link, listen, answersInCommand }
    }
    link.close()
    await sleep(20)
  }
  return null
}

/** The agent is alive behind a holder that we cannot connect to for want of descriptors. */
function noHolder(error: unknown): { link: null; listen: AttachedRun['listen'] } {
  if (isMachineFault(error)) throw error
  return { link: null, listen: () => {} }
}

/** Buffers what the holder sends until somebody listens. */
async function connect(address: HolderAddress, options: ConnectOptions) {
  const buffered: ((listener: HolderListener) => void)[] = []
  let listener: HolderListener | null = null
  const pass = (event: (listener: HolderListener) => void) => (listener ? event(listener) : buffered.push(event))
  const link = await connectHolder(
    address,
    {
      onOutput: output => pass(to => to.onOutput(output)),
      onExit: exit => pass(to => to.onExit(exit)),
      onWaits: offset => pass(to => to.onWaits?.(offset)),
      onUnread: () => pass(to => to.onUnread?.()),
      onLost: () => pass(to => to.onLost()),
    },
    options,
  )
  return {
    link,
    listen: (to: HolderListener) => {
      listener = to
      for (const event of buffered.splice(0)) event(to)
    },
  }
}
