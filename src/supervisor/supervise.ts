import { BeckonError } from '../protocol/errors.ts'
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
  if (!(await link.from(link.hello.from))) return { how: 'left' }
  const exited = Promise.withResolvers<Exit | 'left'>()
  exited.promise.catch(() => {})
  const over = new AbortController()
  const parts = await assemble(context, attached, frontend, { signal: over.signal, onError: exited.reject })
  const { processes, requests, progress, recorder, control, shipping } = parts
  onAbort(frontend.stop, () => void processes.end().catch(() => {}))
  if (frontend.kill) onAbort(frontend.kill, () => void processes.kill().catch(() => {}))
  onAbort(frontend.leave, () => exited.resolve('left'))
  const ticking = setInterval(tick, tickEvery)
  try {
    await control.begin()
    frontend.onStarted?.(run, { type: link.type, end: link.endInput, resize: link.resize })
    await requests.takeOver()
    // The supervisor before us took output.
    if (link.hello.from > 0) requests.onSignOfLife()
    attached.listen({
      onOutput: output => {
        requests.onSignOfLife()
        recorder.push(output)
      },
      onExit: exited.resolve,
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
    return await conclude({ context, attached, frontend, isSleeping, ...parts }, exit)
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'closed') return { how: 'left' }
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
    from: from.requests ?? { asked: {}, open: [] },
    answersInCommand,
    processes,
    // The supervisor before us may have taken this checkpoint.
    checkpoint: from.requests ? checkpoints.takeOncePerRequest : checkpoints.takeForRequest,
    contextOf: async item => (item.type === 'phase' ? checkpoints.phaseContext(item) : null),
    secrets,
    onSecret: log.addSecret,
    logReply: log.reply,
    announce: frontend.announce,
    print,
  })
  const openedSecrets = createOpenedSecrets(hub, folder.path, requests.addSecret)
  const progress = createProgress({ link, log, requests, watcher, from: from.log ?? null })
  const idleTimer = createIdleTimer(hub, run.id, settings.sleepAfter)
  const shared = { hub, run, requests, openedSecrets, idleTimer }
  const recorder = createRecorder({ ...shared, frontend, watcher, progress, onError })
  const control = createControl({ ...shared, pid: hello.pid, processes, checkpoints, signal })
  return { processes, requests, checkpoints, progress, recorder, control, shipping, print, redact: log.redact }

  function print(text: string) {
    log.note(text)
    frontend.print(text)
  }

  function onRefused(reason: string) {
    frontend.print(`Output is no longer sent to the hub: ${reason}`)
  }
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
