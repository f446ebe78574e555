import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '../protocol/run.ts'
import type { Place } from './context.ts'
import { prepareRunFolder, type RunFolder, runFolder } from './folder.ts'
import { connectHolder, type HolderLink, type HolderListener, startHolder } from './holder/connect.ts'
import type { HolderSpec } from './holder/spec.ts'
import { keepSettings, type RunSettings, readsAnswers } from './settings.ts'

/** A run whose agent is behind a holder that we are connected to. */
export interface HeldRun {
  run: Run
  settings: RunSettings
  folder: RunFolder
  env: NodeJS.ProcessEnv
  link: HolderLink
  /** From here on, what the holder sends goes to this listener. */
  listen(listener: HolderListener): void
  /** Ids of answers that it was started with. */
  given: string[]
  /** Those that it was started again for. */
  owed: string[]
}

// Event lines of agents may be long, and none is safe before it is complete.
const roomForEvents = 32 * 1_024 * 1_024

interface Start {
  run: Run
  settings: RunSettings
  command: string[]
  env: NodeJS.ProcessEnv
  given?: string[]
  owed?: string[]
}

/** Starts the agent of a run behind a new holder. */
export async function startHeld(
  place: Place,
  { run, settings, command, env, given = [], owed = [] }: Start,
): Promise<HeldRun> {
  const folder = runFolder(place.home, run.id)
  for (const name of ['exit.json', 'holder.json']) rmSync(join(folder.path, name), { force: true })
  const spec: Omit<HolderSpec, 'socket'> = {
    command,
    cwd: run.cwd,
    // Answers come by it, also where nothing that is typed does.
    stdin: settings.stdin === 'none' && !readsAnswers(settings) ? 'none' : 'pipe',
    given,
    pty: settings.pty ?? null,
    ...(settings.format === 'text' ? {} : { room: roomForEvents }),
  }
  prepareRunFolder(folder, spec)
  keepSettings(folder.path, settings)
  startHolder(place.holder, folder.path, { ...env, BECKON_RUN: run.id })
  const { link, listen } = await connect(folder)
  return { run, settings, folder, env, link, listen, given, owed }
}

/** Connects to the holder of a run that nobody looks after; null where there is none, or somebody does. */
export async function attachHeld(place: Place, run: Run, settings: RunSettings): Promise<HeldRun | null> {
  const folder = runFolder(place.home, run.id)
  // One that was just left may look attended for a moment.
  for (let attempt = 0; attempt < 10 && existsSync(folder.socket); attempt += 1) {
    const { link, listen } = await connect(folder, 0).catch(() => ({ link: null, listen: () => {} }))
    if (link === null) return null
    if (!link.hello.attended) {
      keepSettings(folder.path, settings)
      return { run, settings, folder, env: place.env, link, listen, given: [], owed: [] }
    }
    link.close()
    await sleep(20)
  }
  return null
}

/** What comes before somebody listens is kept. */
async function connect({ socket }: RunFolder, patience?: number) {
  const early: ((listener: HolderListener) => void)[] = []
  let listener: HolderListener | null = null
  const tell = (what: (listener: HolderListener) => void) => (listener ? what(listener) : early.push(what))
  const link = await connectHolder(
    socket,
    {
      onOutput: output => tell(to => to.onOutput(output)),
      onExit: exit => tell(to => to.onExit(exit)),
      onLost: () => tell(to => to.onLost()),
    },
    patience,
  )
  return {
    link,
    listen: (given: HolderListener) => {
      listener = given
      for (const what of early.splice(0)) what(given)
    },
  }
}
