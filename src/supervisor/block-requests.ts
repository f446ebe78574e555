import { hash } from 'node:crypto'
import { toAsk } from '../blocks/block-to-ask.ts'
import type { Item, MalformedItem } from '../blocks/items.ts'
import { writeReply } from '../blocks/reply/replies.ts'
import type { AskInput } from '../protocol/ask.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { Run } from '../protocol/run.ts'
import { createHiding } from '../secrets/hide.ts'
import type { HolderLink } from './holder/connect.ts'
import { replyTo } from './replies.ts'
import { patiently } from './retry.ts'
import { type RunSettings, readsAnswers } from './settings.ts'

export interface DeskOptions {
  hub: HubApi
  run: Run
  link: Pick<HolderLink, 'input' | 'hello'>
  settings: RunSettings
  /** Where the desk of the supervisor before us stood. */
  from: DeskNotes | null
  /** Stops every process of the run. */
  stop: () => Promise<void>
  /** Lets them go on, unless a person has paused them. */
  goOn: () => Promise<void>
  /** What is to be kept before anybody is told; with what a person should see beside the request. */
  checkpoint: (request: Request) => Promise<void>
  contextOf: (item: AskingItem) => Promise<string | null>
  /** Those that the run was given before. */
  secrets: readonly string[]
  onSecret: (value: string) => void
  /** Shows an open request to whoever is there; until the signal. */
  announce: (request: Request, settled: AbortSignal) => void
  /** A line for the person, and for the log. */
  say: (text: string) => void
  /** The run cannot go on. */
  fail: (reason: string) => void
}

/** What another desk needs to go on; plain data. */
export interface DeskNotes {
  /** How often this start of the run has asked each thing, by its fingerprint. */
  asked: Record<string, number>
  /** Requests that this start has asked and not been answered. */
  open: string[]
}

export type AskingItem = Extract<Item, { type: 'question' | 'dependency' | 'phase' }>

// A reader that is stopped takes so much, by a pipe or by a terminal; a longer reply is written once it goes on.
const pipeRoom = 64 * 1_024
const terminalRoom = 4 * 1_024

/**
 * Where the blocks of a run become requests, and their outcomes replies. The order is: stored, stopped, checkpointed,
 * announced; then written while stopped, confirmed, and continued when nothing is open any more.
 */
export function createDesk(options: DeskOptions) {
  const { hub, run, link, settings, say } = options
  const asked = new Map(Object.entries(options.from?.asked ?? {}))
  /** In the order of asking. */
  const open = new Map<string, { settled: AbortController; outcome: Request | null }>()
  const refused: string[] = []
  /** Also those that the desk before us has handed over, or an agent that was started over may quote them. */
  const hiding = createHiding()
  for (const secret of options.secrets) hiding.add(secret)
  const reads = readsAnswers(settings)
  let deliveries: Promise<void> = Promise.resolve()
  /** What a reader that is stopped has not taken yet, in bytes. */
  let unread = 0
  let closed = false
  return { begin, take, notes, calm, close, isWaiting, addSecret: onSecret, refused: () => refused }

  /** For a person; what is settled is only on its way. */
  function isWaiting(): boolean {
    return reads && [...open.values()].some(({ outcome }) => outcome === null)
  }

  /** Takes up what the desk before us had open. */
  async function begin(): Promise<void> {
    const requests = await Promise.all((options.from?.open ?? []).map(id => patiently(() => hub.get(id))))
    if (requests.length === 0) return options.goOn()
    for (const request of requests) await waitFor(request)
  }

  function notes(): DeskNotes {
    return { asked: Object.fromEntries(asked), open: [...open.keys()] }
  }

  async function take(item: Item): Promise<void> {
    switch (item.type) {
      case 'question':
      case 'dependency':
      case 'phase':
        return ask(item)
      case 'malformed':
        return refuse(item)
      case 'error':
        await report(`The agent reports an error: ${item.error.message}`)
        if (item.error.fatal) options.fail(hiding.hide(item.error.message))
        return
      case 'fenced':
        return report(`A [${item.tag}] block inside of a code fence is taken for text.`)
      case 'custom-complete':
        return say('The task is complete.')
    }
  }

  async function ask(item: AskingItem) {
    const input = toAsk(item)
    const timeout = input.timeout === undefined ? settings.timeout : input.timeout
    const agent = { name: run.name, cwd: run.cwd }
    try {
      const context = await options.contextOf(item)
      const key = keyOf(input)
      await waitFor(await patiently(() => raise({ ...hiding.hide(input), timeout, context, key, run: run.id, agent })))
    } catch (error) {
      if (!(error instanceof BeckonError)) throw error
      await refuse({ type: 'malformed', tag: tagOf(item), reason: error.message, text: '', ...placeOf(item) })
    }
  }

  /** The key tells that it is the same; what is shown beside it, such as a diff, may have changed since. */
  async function raise(input: AskInput): Promise<Request> {
    try {
      return await hub.raise(input)
    } catch (error) {
      if (!(error instanceof BeckonError) || error.code !== 'key_conflict') throw error
      return hub.get((error.details as { id: string }).id)
    }
  }

  /**
   * The same block at the same turn is the same ask, also when a supervisor reads it for the second time, and when the run
   * was started over and comes to it again.
   */
  function keyOf(input: ReturnType<typeof toAsk>): string {
    const content = hash('sha256', JSON.stringify(input), 'base64url').slice(0, 22)
    const turn = (asked.get(content) ?? 0) + 1
    asked.set(content, turn)
    return `block-${content}-${turn}`
  }

  async function waitFor(request: Request) {
    const settled = new AbortController()
    open.set(request.id, { settled, outcome: null })
    const wasGiven = link.hello.written.includes(request.id)
    if (request.status !== 'pending') return reads || wasGiven ? deliver(request) : keepForLater(request)
    if (reads) await options.stop()
    await options.checkpoint(request)
    options.announce(request, settled.signal)
    hub.wait(request.id, { signal: settled.signal }).then(reads ? deliver : keepForLater, onLost)
  }

  /** The next start of the agent begins with it. */
  function keepForLater({ id }: Request) {
    open.get(id)?.settled.abort()
    open.delete(id)
  }

  /** The hub was closed, or we are: whoever comes next goes on with it. */
  function onLost(error: unknown) {
    if (!(error instanceof BeckonError) && !(error instanceof Error && error.name === 'AbortError')) throw error
  }

  function deliver(request: Request): Promise<void> {
    const asked = open.get(request.id)
    if (asked) asked.outcome = request
    asked?.settled.abort()
    deliveries = deliveries.then(deliverInOrder)
    return deliveries
  }

  /** No delivery is under way. */
  function calm(): Promise<void> {
    return deliveries
  }

  /** As they were asked: an answer by itself does not say to which question it is. */
  async function deliverInOrder(): Promise<void> {
    for (const [id, { outcome }] of open) {
      if (!outcome || closed) return
      await deliverOne(outcome)
      open.delete(id)
    }
    if (!closed) await goOn()
  }

  async function goOn(): Promise<void> {
    unread = 0
    await options.goOn()
  }

  async function deliverOne(request: Request): Promise<void> {
    try {
      if (mustEnd(request)) return options.fail(`It needs ${nameOf(request)}, which was not provided.`)
      const failure = link.hello.written.includes(request.id) ? null : await write(request)
      // It stays settled and undelivered: if the run comes back, it is given to it then.
      if (failure !== null) return say(`The answer to ${request.id} could not be given to the agent: ${failure}`)
      await patiently(() => hub.confirmDelivery(request.id))
    } catch (error) {
      say(`The answer to ${request.id} could not be delivered: ${error instanceof Error ? error.message : error}`)
    }
  }

  async function write(request: Request): Promise<string | null> {
    const reply = await patiently(() => replyTo(hub, request, { ...settings, onSecret }))
    const bytes = Buffer.from(reply)
    unread += bytes.length
    if (unread > (settings.pty ? terminalRoom : pipeRoom)) await goOn()
    return link.input(request.id, bytes)
  }

  function onSecret(value: string) {
    hiding.add(value)
    options.onSecret(value)
  }

  async function refuse({ tag, reason, start }: MalformedItem) {
    await report(`A [${tag}] block cannot be read: ${reason}`)
    const reply = writeReply({ type: 'protocol-error', tag, reason })
    if (reads) await link.input(`malformed-${start}`, Buffer.from(reply))
    else refused.push(reply)
  }

  async function report(message: string) {
    say(message)
    await hub.runs.change(run.id, { error: hiding.hide(message).slice(0, 10_000) }).catch(() => {})
  }

  /** Nothing is delivered from here on. */
  function close() {
    closed = true
    for (const { settled } of open.values()) settled.abort()
  }
}

/** Without what it requires, a run has nothing to go on with. */
export function mustEnd({ kind, required, outcome }: Request): boolean {
  return kind === 'dependency' && required && outcome?.status !== 'answered'
}

function nameOf(request: Request): string {
  return request.kind === 'dependency' ? request.name : request.kind
}

const tagsOf = { question: 'USER_QUESTION', dependency: 'DEPENDENCY_REQUEST', phase: 'PHASE' } as const

function tagOf({ type }: AskingItem): MalformedItem['tag'] {
  return tagsOf[type]
}

function placeOf({ start, end }: AskingItem) {
  return { start, end }
}
