import { createScanner } from '../blocks/scanner.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { Run } from '../protocol/run.ts'
import { createDesk } from './desk.ts'
import { prepareRunFolder, runFolder } from './folder.ts'
import { connectHolder, startHolder } from './holder/connect.ts'
import type { Exit, Output, Stream } from './holder/frames.ts'
import { openLogWriter } from './log-writer.ts'
import { continueAll, endAll, stopAll } from './processes.ts'

export interface Supervision {
  hub: HubApi
  command: string[]
  name: string | undefined
  cwd: string
  /** The agent's. The run's own name is added to it. */
  env: NodeJS.ProcessEnv
  /** Where the folders of runs lie. */
  home: string
  /** The program of the holder. */
  holder: string
  pause: 'stop' | 'none'
  reply: 'raw' | 'json'
  secrets: 'value' | 'ref'
  stdin: 'open' | 'inherit' | 'none'
  timeout: number | null
  /** The agent's output, as it comes. */
  onOutput: (stream: Stream, bytes: Buffer) => void
  onStarted: (run: Run, keyboard: Keyboard) => void
  /** Shows an open request to whoever is there; until the signal. */
  announce: (request: Request, settled: AbortSignal) => void
  say: (text: string) => void
  /** We are told to end the run. */
  signal: AbortSignal
}

/** What a person types goes to the agent through this. */
export interface Keyboard {
  type(bytes: Uint8Array): void
  end(): void
}

const grace = 5_000
const tickEvery = 500

/** Runs an agent to its end, and answers it when it asks. Resolves to its exit code. */
export async function superviseRun(supervision: Supervision): Promise<number> {
  const { hub, command, name, cwd, signal } = supervision
  const run = await hub.startRun({ command, cwd, ...(name === undefined ? {} : { name }) })
  const folder = runFolder(supervision.home, run.id)
  prepareRunFolder(folder, { command, cwd, stdin: supervision.stdin === 'none' ? 'none' : 'pipe' })
  const log = await openLogWriter(folder.log)
  const scanner = createScanner()
  const exited = Promise.withResolvers<Exit>()
  const queue: Output[] = []
  let working: Promise<void> | null = null
  let failure: string | null = null

  const holder = startHolder(supervision.holder, folder.path, { ...supervision.env, BECKON_RUN: run.id })
  const link = await connectHolder(folder.socket, {
    onOutput: output => {
      queue.push(output)
      working ??= work()
    },
    onExit: exited.resolve,
    onLost: () => exited.resolve({ code: null, signal: null, error: 'The holder of the run was lost.' }),
  })
  const { pid } = link.hello
  if (pid !== null) await hub.changeRun(run.id, { pid })
  const scope = { sessions: pid === null ? [] : [pid], except: holder === undefined ? [] : [holder] }
  const desk = createDesk({
    ...supervision,
    run,
    start: '1',
    link,
    scope,
    onSecret: log.addSecret,
    say,
    fail: reason => {
      failure ??= reason
      end()
    },
  })
  const ticking = setInterval(() => queueItems(() => scanner.tick(performance.now())), tickEvery)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  const over = new AbortController()
  followOrders(over.signal).catch(() => {})
  supervision.onStarted(run, { type: link.type, end: link.endInput })
  link.from(0)
  try {
    const exit = await exited.promise
    while (working) await working
    for (const item of scanner.end()) await desk.take(item)
    return await conclude(exit)
  } finally {
    over.abort()
    clearInterval(ticking)
    signal.removeEventListener('abort', end)
    desk.close()
    await log.close({ final: true })
    link.dismiss()
  }

  /** One piece after the other: what a block asks is stored before the next piece is looked at. */
  async function work() {
    // Not before whoever started it holds the promise of it.
    await null
    for (let output = queue.shift(); output; output = queue.shift()) {
      const { stream, bytes, offset } = output
      supervision.onOutput(stream, bytes)
      if (!log.write(stream, bytes)) await log.drained()
      if (stream === 'out') for (const item of scanner.push(bytes)) await desk.take(item)
      link.taken(offset + bytes.length)
    }
    working = null
  }

  /** Pause, resume and stop are facts about the run that anybody may state, from anywhere; this is where they happen. */
  async function followOrders(until: AbortSignal) {
    for await (const { type, run: about } of hub.follow({ signal: until })) {
      if (about !== run.id) continue
      if (type === 'run.paused') await stopAll(run.id, scope)
      if (type === 'run.resumed' && !desk.isWaiting()) await continueAll(run.id, scope)
      if (type === 'run.stopped') end()
    }
  }

  function queueItems(look: () => ReturnType<typeof scanner.tick>) {
    // A run that is stopped cannot close its block in time.
    if (working || desk.isWaiting()) return
    const items = look()
    if (items.length === 0) return
    working = (async () => {
      await null
      for (const item of items) await desk.take(item)
      working = null
      if (queue.length > 0) working = work()
    })()
  }

  function say(text: string) {
    log.note(text)
    supervision.say(text)
  }

  function end() {
    endAll(run.id, { ...scope, grace }).catch(() => {})
  }

  async function conclude(exit: Exit): Promise<number> {
    const code = codeOf(exit)
    const reason = exit.error ?? failure
    const stopped = signal.aborted
    const status = stopped ? 'stopped' : code === 0 && reason === null ? 'completed' : 'failed'
    if (reason) say(reason)
    const { status: now } = await hub.getRun(run.id)
    await hub.changeRun(run.id, now === 'stopped' ? { exitCode: code } : { status, exitCode: code, reason })
    return code === 0 && status === 'failed' ? 1 : code
  }
}

const signalNumbers: Record<string, number> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
}

/** As a shell would tell it. */
function codeOf({ code, signal, error }: Exit): number {
  if (error !== null) return 127
  return code ?? 128 + (signalNumbers[signal ?? ''] ?? 0)
}
