import { BeckonError } from '../protocol/errors.ts'
import type { Request } from '../protocol/request.ts'
import type { Run } from '../protocol/run.ts'
import { identify } from '../system/processes/identity.ts'
import { createAgentInput } from './agent-input.ts'
import type { AttachedRun } from './attached-run.ts'
import { createBlockRequests, type RequestNotes } from './block-requests.ts'
import { createWatcher, type Watched } from './block-watcher.ts'
import { createRunCheckpoints } from './checkpoint/run-checkpoints.ts'
import { conclude } from './conclude.ts'
import type { Ending, RunFrontend, SupervisorContext } from './context.ts'
import { createControl } from './control.ts'
import { wasCutOff } from './exit-code.ts'
import type { Exit } from './holder/frames.ts'
import { shipLog } from './log/ship.ts'
import { openLogWriter } from './log/writer.ts'
import { createOpenedSecrets } from './opened-secrets.ts'
import { createRecorder } from './output-recorder.ts'
import { createRunProcesses } from './processes/run-processes.ts'
import { createProgress, type LogNotes } from './progress.ts'
import { usedSecrets } from './requests-of-run.ts'
import { retryWhileUnavailable } from './retry.ts'
import { createIdleTimer } from './sleep/idle-timer.ts'
import { readRefusals } from './unreadable-blocks.ts'

const tickEvery = 500

/**
 * Supervises a run until it ends, falls asleep, or we are told to leave it. Three parts work side by side: the recorder
 * takes what the agent prints to the log and its blocks to the hub, the control applies what people do to the run, and
 * `conclude` decides what the agent's end means.
 */
export async function supervise(
  context: SupervisorContext,
  attached: AttachedRun,
  frontend: RunFrontend,
): Promise<Ending> {
  const { run, link } = attached
  // A holder that is gone refused nobody: `onLost` comes below.
  if (!(await link.from(link.hello.from)) && identify(link.hello.holder) !== null) return { how: 'left' }
  const exited = Promise.withResolvers<Exit | 'left'>()
  exited.promise.catch(() => {})
  const over = new AbortController()
  const parts = await assemble(context, attached, frontend, { signal: over.signal, onError: exited.reject })
  const { processes, requests, progress, recorder, control, shipping, input } = parts
  onAbort(frontend.stop, () => void processes.end().catch(() => {}))
  if (frontend.kill) onAbort(frontend.kill, () => void processes.kill().catch(() => {}))
  onAbort(frontend.leave, () => exited.resolve('left'))
  const ticking = setInterval(tick, tickEvery)
  try {
    await control.begin()
    frontend.onStarted?.(run, input)
    await requests.takeOver()
    // The supervisor before us took output.
    if (link.hello.from > 0) requests.onSignOfLife()
    attached.listen({
      onOutput: output => {
        requests.onSignOfLife()
        recorder.push(output)
      },
      onExit: exited.resolve,
      onWaits: input.onWaits,
      onUnread: () => frontend.onHeld?.(),
      onLost: () => exited.resolve({ code: null, signal: null, error: 'The holder of the run was lost.' }),
    })
    const exit = await exited.promise
    await recorder.drained()
    if (exit === 'left') return { how: 'left' }
    const isSleeping = control.isSleeping()
    if (isSleeping || !wasCutOff(exit)) requests.onSignOfLife()
    if (!isSleeping) await recorder.finish()
    await requests.drained()
    // A request that settles from here on, by the end of the run too, has no agent to deliver to.
    requests.close()
    frontend.onUnread?.(await input.takeBack())
    return await conclude({ context, attached, frontend, isSleeping, ...parts }, exit)
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'closed') return { how: 'left' }
    if (error instanceof BeckonError && error.code === 'replaced') parts.print(abandoned(run, link.hello.pid))
    else frontend.print(`${run.id} has no supervisor now. Once the cause is mended: beckon run --recover`)
    throw error
  } finally {
    over.abort()
    clearInterval(ticking)
    requests.close()
    await requests.drained()
    await progress.close()
    await shipping?.stop()
  }

  function tick() {
    // A stopped agent cannot print the rest of its block.
    if (!requests.isWaiting() && !processes.isPaused()) recorder.tick()
    control.tick()
  }
}

async function assemble(
  context: SupervisorContext,
  { run, link, settings, folder, env, answersInCommand }: AttachedRun,
  frontend: RunFrontend,
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
) {
  const { hub } = context
  const { hello } = link
  const from = readNotes(hello.notes)
  const sessions = hello.pid === null ? [] : [hello.pid]
  const scope = { sessions, except: [hello.holder], spare: context.ownPrograms }
  const processes = createRunProcesses(run.id, scope, settings.pause === 'stop')
  const secrets = await retryWhileUnavailable(() => usedSecrets(hub, run.id))
  const log = await openLogWriter(folder.log, { secrets })
  const shipping = context.shipsLogs ? shipLog({ hub, run: run.id, folder: folder.log, onRefused }) : null
  const watcher = createWatcher({ ...settings, from: from.watched ?? null })
  const checkpoints = createRunCheckpoints({ hub, run, env, logPosition: log.position, print, signal })
  const requests = createBlockRequests({
    hub,
    run,
    link,
    settings,
    from: from.requests ?? {
      asked: {},
      open: [],
      refusals: { inRow: readRefusals(folder.path).inRow, replies: [] },
    },
    answersInCommand,
    processes,
    // The supervisor before us may have taken this checkpoint.
    checkpoint: from.requests ? checkpoints.takeOncePerRequest : checkpoints.takeForRequest,
    changesOf: checkpoints.phaseChanges,
    secrets,
    onSecret: log.addSecret,
    logReply: log.reply,
    announce,
    print,
  })
  const openedSecrets = createOpenedSecrets(hub, folder.path, requests.addSecret)
  const progress = createProgress({ link, log, requests, watcher, from: from.log ?? null })
  const idleTimer = createIdleTimer(hub, run.id, settings.sleepAfter)
  const shared = { hub, run, requests, openedSecrets, idleTimer }
  const recorder = createRecorder({ ...shared, frontend, watcher, progress, onError })
  const control = createControl({ ...shared, pid: hello.pid, processes, checkpoints, signal, onError })
  const input = createAgentInput({ link, requests, watcher, recorder, processes })
  return { processes, requests, checkpoints, progress, recorder, control, shipping, input, print, redact: log.redact }

  /** Without a keyboard here, it was typed to a supervisor that is gone. The text may be private, so the log has none of it. */
  async function announce(request: Request, settled: AbortSignal) {
    frontend.announce(request, settled)
    if (frontend.onStarted || (await input.takeBack()).length === 0) return
    print('What was typed before the question was not sent to the agent.')
  }

  function print(text: string) {
    log.note(text)
    frontend.print(text)
  }

  function onRefused(reason: string) {
    frontend.print(`Output is no longer sent to the hub: ${reason}`)
  }
}

/** The database that knew of the run is gone, and nobody else will look after it. */
function abandoned({ id }: Run, pid: number | null): string {
  const how = pid === null ? '' : ` Its agent may still run; to end it: kill -CONT -${pid}; kill -- -${pid}`
  return `${id} has lost its database, and nobody looks after it now.${how}`
}

interface Notes {
  watched?: Watched
  requests?: RequestNotes
  log?: LogNotes
}

/** What the supervisor before us left with the holder; `desk` is what earlier versions called `requests`. */
function readNotes(notes: Record<string, unknown>): Notes {
  const { desk, ...others } = notes as Notes & { desk?: RequestNotes }
  return desk ? { requests: desk, ...others } : others
}

function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}
