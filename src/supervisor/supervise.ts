import { constants } from 'node:os'
import { BeckonError } from '../protocol/errors.ts'
import type { Event } from '../protocol/event.ts'
import type { Run } from '../protocol/run.ts'
import type { HeldRun } from './attached-run.ts'
import { createDesk, type DeskNotes } from './block-requests.ts'
import { createMoments } from './checkpoint/run-checkpoints.ts'
import type { Audience, Ending, Place } from './context.ts'
import { forgetEnvironment } from './environment.ts'
import { heedRun } from './follow-run.ts'
import type { Exit, Output } from './holder/frames.ts'
import { shipLog } from './log/ship.ts'
import { openLogWriter } from './log/writer.ts'
import { createOpened } from './opened-secrets.ts'
import { continueAll, endAll, type Scope, stopAll } from './processes/processes.ts'
import { createProgress, type LogNotes } from './progress.ts'
import { handedSecrets, undeliveredOf } from './requests-of-run.ts'
import { patiently } from './retry.ts'
import { comesBack, readsAnswers } from './settings.ts'
import { createSleepiness } from './sleep/idle-timer.ts'
import { putToSleep } from './sleep/sleep.ts'
import { createWatcher, type Watched } from './watch.ts'

const grace = 5_000
const tickEvery = 500

/** Looks after a run until it ends, falls asleep, or we are told to leave it. Answers it when it asks. */
export async function supervise(place: Place, held: HeldRun, audience: Audience): Promise<Ending> {
  const { hub } = place
  const { run, link, settings, folder } = held
  const { hello } = link
  if (!(await link.from(hello.from))) return { how: 'left' }
  const from = hello.notes as { watched?: Watched; desk?: DeskNotes; log?: LogNotes }
  const scope: Scope = {
    sessions: hello.pid === null ? [] : [hello.pid],
    except: [hello.holder],
    spare: place.commands,
  }
  const secrets = await patiently(() => handedSecrets(hub, run.id))
  const log = await openLogWriter(folder.log, { secrets })
  const shipping = place.ships ? shipLog({ hub, run: run.id, folder: folder.log, onRefused }) : null
  const watcher = createWatcher({ ...settings, from: from.watched ?? null })
  const exited = Promise.withResolvers<Exit | 'left'>()
  const arrived: Output[] = []
  const recorded: Output[] = []
  let recording: Promise<void> | null = null
  let working: Promise<void> | null = null
  let failure: string | null = null
  let paused = false
  let sleeping = false
  const over = new AbortController()

  const desk = createDesk({
    hub,
    run,
    link,
    settings,
    from: from.desk ?? { asked: {}, open: held.given },
    stop: async () => void (settings.pause === 'stop' && (await stopAll(run.id, scope))),
    goOn: async () => void (settings.pause === 'stop' && !paused && (await continueAll(run.id, scope))),
    // Whoever looked after it before us may have kept this moment already.
    checkpoint: request => (from.desk === undefined ? moments.keepAsking(request) : moments.keepAskingOnce(request)),
    contextOf: async item => (item.type === 'phase' ? moments.contextOfPhase(item) : null),
    secrets,
    onSecret: log.addSecret,
    announce: audience.announce,
    say,
    fail: reason => {
      failure ??= reason
      end()
    },
  })
  const moments = createMoments({ hub, run, env: held.env, logPosition: log.position, say, signal: over.signal })
  const opened = createOpened(hub, folder.path, desk.addSecret)
  const progress = createProgress({ link, log, desk, watcher, from: from.log ?? null })
  const sleepiness = createSleepiness(hub, run.id, settings.sleepAfter)
  const ticking = setInterval(tick, tickEvery)
  onAbort(audience.signal, end)
  if (audience.hurry) onAbort(audience.hurry, () => void endAll(run.id, { ...scope, grace: 0 }).catch(() => {}))
  onAbort(audience.leave, () => exited.resolve('left'))
  try {
    const { status } = await patiently(() => hub.runs.change(run.id, hello.pid === null ? {} : { pid: hello.pid }))
    paused = status === 'paused'
    // Perhaps before anybody was there to do it.
    if (paused) await stopAll(run.id, scope)
    void heedRun(hub, run.id, over.signal, heed)
    audience.onStarted?.(run, { type: link.type, end: link.endInput, resize: link.resize })
    await desk.begin()
    held.listen({
      onOutput: output => {
        arrived.push(output)
        recording ??= record()
      },
      onExit: exited.resolve,
      onLost: () => exited.resolve({ code: null, signal: null, error: 'The holder of the run was lost.' }),
    })
    const exit = await exited.promise
    while (recording || working) await (recording ?? working)
    if (exit === 'left') return { how: 'left' }
    if (!sleeping) for (const item of watcher.end()) await desk.take(item)
    await desk.calm()
    // What is settled from here on, by its end too, is for nobody to be told any more.
    desk.close()
    return await conclude(exit)
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'closed') return { how: 'left' }
    throw error
  } finally {
    over.abort()
    clearInterval(ticking)
    desk.close()
    await desk.calm()
    await progress.close()
    await shipping?.stop()
  }

  /** To the person and into the log, also while a question is being put. */
  async function record() {
    // Not before whoever started it holds the promise of it.
    await null
    for (let output = arrived.shift(); output; output = arrived.shift()) {
      sleepiness.stir()
      await opened.known()
      await audience.onOutput(output.stream, output.bytes)
      await progress.record(output)
      recorded.push(output)
      working ??= work()
    }
    recording = null
  }

  /** One piece after the other: what a block asks is stored before the next piece is looked at. */
  async function work() {
    await null
    for (let output = recorded.shift(); output; output = recorded.shift()) {
      const items = watcher.take(output)
      await noteSession()
      for (const item of items) await desk.take(item)
      progress.advance({ atOnce: items.length > 0 })
    }
    working = null
  }

  async function noteSession() {
    const session = watcher.session()
    if (session === null || session === run.session) return
    run.session = session
    await patiently(() => hub.runs.change(run.id, { session }))
  }

  /** Pause, resume and stop are facts about the run that anybody may state, from anywhere; this is where they happen. */
  async function heed(event: Event | null) {
    const { type = 'run.', request = null } = event ?? {}
    if (type.startsWith('run.')) await obey((await patiently(() => hub.runs.get(run.id))).status)
    if (request !== null && ['request.answered', 'request.used'].includes(type)) await opened.hear(request)
  }

  async function obey(status: Run['status']) {
    if (status === 'stopped') end()
    if (status === 'paused' && !paused) {
      paused = true
      await stopAll(run.id, scope)
      await moments.keep('pause')
    }
    if (status === 'running' && paused) {
      paused = false
      if (!desk.isWaiting()) await continueAll(run.id, scope)
    }
  }

  function tick() {
    // A run that is stopped cannot close its block in time.
    if (!recording && !working && !desk.isWaiting() && !paused) {
      const items = watcher.tick(performance.now())
      if (items.length > 0) {
        working = (async () => {
          await null
          for (const item of items) await desk.take(item)
          progress.advance({ atOnce: true })
          working = recorded.length > 0 ? work() : null
        })()
      }
    }
    sleepiness.check(desk.isWaiting()).then(sleeps => sleeps && fallAsleep(), ignoreFaults)
  }

  /** Its process ends; that it sleeps is said once it has ended, so that nobody wakes it before. */
  function fallAsleep() {
    if (sleeping || paused) return
    sleeping = true
    desk.close()
    end()
  }

  function say(text: string) {
    log.note(text)
    audience.say(text)
  }

  function onRefused(reason: string) {
    audience.say(`What it prints is not sent to the hub any more: ${reason}`)
  }

  function end() {
    endAll(run.id, { ...scope, grace }).catch(() => {})
  }

  async function conclude(exit: Exit): Promise<Ending> {
    const { status, waiting } = await patiently(() => hub.runs.get(run.id))
    const code = codeOf(exit)
    const mayComeBack = status !== 'stopped' && !audience.signal.aborted && failure === null && comesBack(settings)
    if (mayComeBack && (sleeping || waiting.length > 0 || (await isOwedAnything(code)))) {
      return sleeping ? sleep() : wait()
    }
    await continueAll(run.id, scope)
    const reason = exit.error ?? failure
    const ending = audience.signal.aborted ? 'stopped' : code === 0 && reason === null ? 'completed' : 'failed'
    if (reason) say(reason)
    // The holder goes first: what is said to have ended, nobody looks after any more. How it ended stays in its folder.
    await progress.close({ final: true })
    await link.dismiss()
    await shipping?.finish()
    await patiently(() =>
      hub.runs.change(run.id, status === 'stopped' ? { exitCode: code } : { status: ending, exitCode: code, reason }),
    )
    forgetEnvironment(folder.path)
    return { how: 'ended', code: code === 0 && ending === 'failed' ? 1 : code }
  }

  /** One that ended well without reading its answer did not want it; one that was cut off gets it again, once. */
  async function isOwedAnything(code: number): Promise<boolean> {
    if (readsAnswers(settings) && code === 0) return false
    const undelivered = await undeliveredOf(hub, run.id)
    const fresh = undelivered.filter(({ id }) => !held.owed.includes(id))
    return fresh.length > 0 || (desk.refused().length > 0 && held.owed.length === 0)
  }

  async function wait(): Promise<Ending> {
    await letGo()
    return { how: 'waits', refused: desk.refused() }
  }

  async function sleep(): Promise<Ending> {
    await moments.keep('sleep')
    await letGo()
    return putToSleep(hub, run.id)
  }

  async function letGo() {
    await endAll(run.id, { ...scope, grace })
    await progress.close()
    await link.dismiss()
    await shipping?.finish()
  }
}

function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}

function ignoreFaults() {}

/** As a shell would tell it. */
function codeOf({ code, signal, error }: Exit): number {
  if (error !== null) return 127
  return code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0)
}
