import { hash } from 'node:crypto'
import { toAsk } from '../blocks/block-to-ask.ts'
import type { Item, MalformedItem, PhaseItem } from '../blocks/items.ts'
import { writeReply } from '../blocks/reply/replies.ts'
import type { AskInput } from '../protocol/ask.ts'
import { BeckonError, type Problem } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { DependencyRequest, Request } from '../protocol/request.ts'
import type { Run } from '../protocol/run.ts'
import { describeMissing } from '../rules/run-reasons.ts'
import { isEnd } from '../rules/run-status.ts'
import { createHiding } from '../secrets/redact-values.ts'
import type { ReviewedChanges } from './checkpoint/review.ts'
import type { HolderLink } from './holder/connect.ts'
import { describeReply } from './log/describe-reply.ts'
import type { RunProcesses } from './processes/run-processes.ts'
import { replyTo } from './replies.ts'
import { retryWhileUnavailable } from './retry.ts'
import { type RunSettings, readsAnswersFromStdin } from './settings.ts'
import { hasAnswer } from './sleep/resume-command.ts'
import {
  askAboutBlock,
  inOrderOfBlocks,
  maxErrorsInRow,
  type Refusal,
  type Refusals,
  whyGivenUp,
} from './unreadable-blocks.ts'

export interface BlockRequestsOptions {
  hub: HubApi
  run: Run
  link: Pick<HolderLink, 'input' | 'hello'>
  settings: RunSettings
  /** What the supervisor before us had asked. */
  from: RequestNotes
  /** Ids of the requests whose answers are in the command that started the agent. */
  answersInCommand: readonly string[]
  processes: Pick<RunProcesses, 'stopForRequest' | 'continueAfterRequest' | 'end'>
  /** Taken before the request is announced. */
  checkpoint: (request: Request) => Promise<void>
  /** What changed in a phase. */
  changesOf: (item: PhaseItem) => Promise<ReviewedChanges>
  /** Secrets that the run already has. */
  secrets: readonly string[]
  onSecret: (value: string) => void
  /** Notes in the log what the agent was given; `mayBeLogged` where the supervisor before us may have done so. */
  logReply: (request: string, text: string, options: { mayBeLogged: boolean }) => Promise<void>
  /** Shows an open request until the signal aborts. */
  announce: (request: Request, settled: AbortSignal) => void
  /** Prints a line for the person and into the log. */
  print: (text: string) => void
}

/** What another supervisor needs to take over; plain data. */
export interface RequestNotes {
  /** How often this start of the run has asked each thing, by its fingerprint. */
  asked: Record<string, number>
  /** Requests of this start that have no answer yet. */
  open: readonly string[]
  /** The request that this start asked last. */
  lastAsked?: string | null
  /** Missing in the notes of earlier versions. */
  refusals?: Refusals
}

export type AskingItem = Extract<Item, { type: 'question' | 'dependency' | 'phase' }>
export type BlockRequests = ReturnType<typeof createBlockRequests>

// A stopped reader takes this much from a pipe or a terminal. A longer reply is written once the agent continues.
const pipeBytes = 64 * 1_024
const terminalBytes = 4 * 1_024

/**
 * Turns the blocks of a run into requests, and their outcomes into replies. The order is: stored, stopped, checkpointed,
 * announced; then written while stopped, confirmed, and continued once no request is open.
 */
export function createBlockRequests(options: BlockRequestsOptions) {
  const { hub, run, link, settings, processes, print } = options
  const asked = new Map(Object.entries(options.from.asked))
  const open = new Map<string, { settled: AbortController; outcome: Request | null }>()
  /** The replies that stdin has not got yet, in the order of the blocks: ids in `open`, and errors. */
  const owed = new Set<string | Refusal>()
  const inCommand = [...options.answersInCommand]
  const refused = new Set(options.from.refusals?.replies)
  let lastAsked = options.from.lastAsked ?? null
  let errorsInRow = options.from.refusals?.inRow ?? 0
  /** Includes the secrets that an earlier supervisor handed over: an agent that starts over may quote them. */
  const hiding = createHiding()
  for (const secret of options.secrets) hiding.add(secret)
  const readsStdin = readsAnswersFromStdin(settings)
  let deliveries: Promise<void> = Promise.resolve()
  /** Bytes written to stdin since the agent was stopped. */
  let unreadBytes = 0
  let unread = false
  let failure: string | null = null
  let closed = false
  return {
    takeOver,
    onSignOfLife,
    handle,
    notes,
    drained,
    close,
    isWaiting,
    /** Whether a reply is still to come. */
    isOpen: () => owed.size > 0,
    addSecret,
    refusals,
    /** Whether an answer could not be written: the agent has closed its stdin. */
    wasUnread: () => unread,
    /** Why the run cannot continue; null while it can. */
    failure: () => failure,
  }

  /** Whether a person has to act; a settled request is only waiting for its delivery. */
  function isWaiting(): boolean {
    return readsStdin && [...open.values()].some(({ outcome }) => outcome === null)
  }

  /** Takes over the replies that the supervisor before us owed. */
  async function takeOver(): Promise<void> {
    const replies = inOrderOfBlocks(options.from.open, readsStdin ? [...refused] : [])
    if (replies.length === 0) return processes.continueAfterRequest()
    for (const reply of replies) {
      if (typeof reply !== 'string') await deliverError(reply)
      else await waitFor(await retryWhileUnavailable(() => hub.get(reply)))
    }
  }

  /**
   * The agent printed something, asked, or ended by itself: it has taken the answers in its command. One that was killed
   * before may never have read them, and gets them again.
   */
  function onSignOfLife(): void {
    const ids = inCommand.splice(0)
    if (ids.length > 0) deliveries = deliveries.then(() => confirmAll(ids))
  }

  async function confirmAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) await retryWhileUnavailable(() => hub.confirmDelivery(id)).catch(() => {})
  }

  function notes(): RequestNotes {
    return { asked: Object.fromEntries(asked), open: [...open.keys()], lastAsked, refusals: errors() }
  }

  function errors(): Refusals {
    return { inRow: errorsInRow, replies: [...refused] }
  }

  /** For the agent's next start. One that asks again on its stdin makes the same errors again. */
  function refusals(): Refusals {
    const isToldInCommand = !readsStdin || (settings.resume !== null && hasAnswer(settings.resume))
    return isToldInCommand ? errors() : { ...errors(), replies: [] }
  }

  async function handle(item: Item): Promise<void> {
    switch (item.type) {
      case 'question':
      case 'dependency':
      case 'phase':
        return ask(item)
      case 'malformed':
        return refuse(item)
      case 'error':
        await report(`The agent reports an error: ${item.error.message}`)
        if (item.error.fatal) fail(`The agent reported a fatal error: ${item.error.message}`)
        return
      case 'fenced':
        return report(`A [${item.tag}] block inside a code fence counts as text.`)
      case 'custom-complete':
        return print('The task is complete.')
    }
  }

  async function ask(item: AskingItem) {
    const input = toAsk(item)
    const hidden = { ...hiding.hide(input), key: keyOf(input) }
    const raised = await raiseOrExplain(item.type === 'phase' ? await withChanges(item, hidden) : hidden)
    if (typeof raised === 'string') {
      const { start, end } = item
      return refuse({ type: 'malformed', tag: tagsOfItems[item.type], reason: raised, text: '', start, end })
    }
    errorsInRow = 0
    if (raised !== null) await waitFor(raised)
  }

  /** The agent's own summary comes first. */
  async function withChanges(item: PhaseItem, input: AskInput): Promise<AskInput> {
    if (input.kind !== 'review') return input
    const { diff, context } = await options.changesOf(item)
    const said = [input.context, context].filter(text => typeof text === 'string')
    return { ...input, diff, context: said.length === 0 ? null : said.join('\n\n') }
  }

  /** The request; or what is wrong with it, in words; or null where the run has ended, and nobody is asked. */
  async function raiseOrExplain(input: AskInput): Promise<Request | string | null> {
    const timeout = input.timeout === undefined ? settings.timeout : input.timeout
    const agent = { name: run.name, cwd: run.cwd }
    try {
      return await retryWhileUnavailable(() => raise({ ...input, timeout, run: run.id, agent }))
    } catch (error) {
      if (isAboutContent(error)) return error.message
      if (await isRefusedAtEnd(error)) return null
      throw error
    }
  }

  /** A person stopped the run a moment ago; the agent is about to end. */
  async function isRefusedAtEnd(error: unknown): Promise<boolean> {
    if (!(error instanceof BeckonError) || error.code !== 'not_allowed') return false
    return isEnd((await retryWhileUnavailable(() => hub.runs.get(run.id))).status)
  }

  /** The same key means the same request, even if what is shown beside it, such as a diff, has changed since. */
  async function raise(input: AskInput): Promise<Request> {
    try {
      return await hub.raise(input)
    } catch (error) {
      if (!(error instanceof BeckonError) || error.code !== 'key_conflict') throw error
      return hub.get((error.details as { id: string }).id)
    }
  }

  /**
   * The same block at the same place is the same request: also when a second supervisor reads it again, and when the run
   * starts over and comes back to it. A run that is resumed with its answers does not start over: what it asks again, it
   * wants to know again.
   */
  function keyOf(input: ReturnType<typeof toAsk>): string {
    const content = hash('sha256', JSON.stringify(input), 'base64url').slice(0, 22)
    const times = (asked.get(content) ?? 0) + 1
    asked.set(content, times)
    const isResumed = settings.resume !== null && hasAnswer(settings.resume)
    return ['block', content, ...(isResumed && link.hello.start ? [link.hello.start] : []), times].join('-')
  }

  async function waitFor(request: Request) {
    const settled = new AbortController()
    open.set(request.id, { settled, outcome: null })
    owed.add(request.id)
    lastAsked = request.id
    const wasWritten = link.hello.written.includes(request.id)
    if (request.status !== 'pending') return readsStdin || wasWritten ? deliver(request) : leaveForNextStart(request)
    if (readsStdin) await processes.stopForRequest()
    await options.checkpoint(request)
    options.announce(request, settled.signal)
    hub.wait(request.id, { signal: settled.signal }).then(readsStdin ? deliver : leaveForNextStart, ignoreClosedHub)
  }

  /** The next start of the agent begins with the answer. */
  function leaveForNextStart({ id }: Request) {
    open.get(id)?.settled.abort()
    open.delete(id)
    owed.delete(id)
  }

  /** The hub or this supervisor was closed: the next supervisor waits on. */
  function ignoreClosedHub(error: unknown) {
    if (!(error instanceof BeckonError) && !(error instanceof Error && error.name === 'AbortError')) throw error
  }

  function deliver(request: Request): Promise<void> {
    const waiting = open.get(request.id)
    if (waiting) waiting.outcome = request
    waiting?.settled.abort()
    return deliverOwed()
  }

  /** At once where nothing printed before it is open: an agent that waits for an answer would take the error for it. */
  function deliverError(refusal: Refusal): Promise<void> {
    owed.add(refusal)
    return deliverOwed()
  }

  function deliverOwed(): Promise<void> {
    deliveries = deliveries.then(deliverInOrder)
    return deliveries
  }

  /** Resolves when no delivery is under way. */
  function drained(): Promise<void> {
    return deliveries
  }

  /** In the order of the blocks: a raw answer does not say which question it belongs to. */
  async function deliverInOrder(): Promise<void> {
    for (const reply of owed) {
      if (closed) return
      if (typeof reply === 'string') {
        const outcome = open.get(reply)?.outcome
        if (!outcome) return
        await deliverOne(outcome)
        open.delete(reply)
      } else {
        await writeInput(reply.id, reply.reply)
        refused.delete(reply)
      }
      owed.delete(reply)
    }
    if (!closed) await letContinue()
  }

  async function letContinue(): Promise<void> {
    unreadBytes = 0
    await processes.continueAfterRequest()
  }

  async function deliverOne(request: Request): Promise<void> {
    try {
      if (isMissingRequirement(request)) return fail(describeMissing(request))
      const givenUp = whyGivenUp(request)
      if (givenUp !== null) return fail(givenUp)
      const wasWritten = link.hello.written.includes(request.id)
      const problem = wasWritten ? null : await write(request)
      // The request stays settled and undelivered: a run that starts again gets the answer then.
      if (problem !== null) {
        unread = true
        return print(`The answer to ${request.id} did not reach the agent: ${problem}`)
      }
      // Before the delivery is recorded: from then on nobody asks whether the log has it.
      await options.logReply(request.id, describeReply(request), { mayBeLogged: wasWritten })
      await retryWhileUnavailable(() => hub.confirmDelivery(request.id))
    } catch (error) {
      print(`The answer to ${request.id} could not be delivered: ${error instanceof Error ? error.message : error}`)
    }
  }

  async function write(request: Request): Promise<string | null> {
    const reply = await retryWhileUnavailable(() => replyTo(hub, request, { ...settings, onSecret: addSecret }))
    return writeInput(request.id, reply)
  }

  async function writeInput(id: string, reply: string): Promise<string | null> {
    const bytes = Buffer.from(reply)
    unreadBytes += bytes.length
    if (unreadBytes > (settings.pty ? terminalBytes : pipeBytes)) await letContinue()
    return link.input(id, bytes)
  }

  function addSecret(value: string) {
    hiding.add(value)
    options.onSecret(value)
  }

  async function refuse(item: MalformedItem) {
    const { tag, reason, start } = item
    await report(`A [${tag}] block cannot be read: ${reason}`)
    // An agent whose turn ends gets all errors of the turn at once.
    if (readsStdin || refused.size === 0) errorsInRow += 1
    if (errorsInRow > maxErrorsInRow) return askPersonAbout(item)
    const reply = writeReply({ type: 'protocol-error', tag, reason })
    const refusal = { id: `malformed-${start}`, reply, after: lastAsked }
    refused.add(refusal)
    if (readsStdin) await deliverError(refusal)
  }

  async function askPersonAbout(item: MalformedItem) {
    const raised = await raiseOrExplain(hiding.hide(askAboutBlock(item, link.hello.start ?? '')))
    if (typeof raised === 'string') {
      return fail(`It keeps writing a [${item.tag}] block that cannot be read, and nobody can be asked: ${raised}`)
    }
    errorsInRow = 0
    if (raised !== null) await waitFor(raised)
  }

  async function report(message: string) {
    print(message)
    await hub.runs.change(run.id, { error: hiding.hide(message).slice(0, 10_000) }).catch(() => {})
  }

  /** Ends the agent. The first reason is the one that counts. */
  function fail(reason: string) {
    failure ??= reason
    processes.end().catch(() => {})
  }

  /** From now on, nothing is delivered. */
  function close() {
    closed = true
    for (const { settled } of open.values()) settled.abort()
  }
}

/** A run cannot continue without a required dependency. */
export function isMissingRequirement(request: Request): request is DependencyRequest {
  return request.kind === 'dependency' && request.required && request.outcome?.status !== 'answered'
}

/** Whether the agent can do better. Everything else, such as a database that fails, is no fault of its block. */
function isAboutContent(error: unknown): error is BeckonError {
  if (!(error instanceof BeckonError)) return false
  if (error.code !== 'invalid') return error.code === 'too_large'
  const problems: readonly Problem[] = Array.isArray(error.details) ? error.details : []
  return !problems.some(({ path }) => pathsOfOthers.includes(path))
}

// The run is missing in the database, or the hub's sealing key is wrong.
const pathsOfOthers = ['run', 'BECKON_KEY']

const tagsOfItems = { question: 'USER_QUESTION', dependency: 'DEPENDENCY_REQUEST', phase: 'PHASE' } as const
