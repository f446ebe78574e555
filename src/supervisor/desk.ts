import type { Item, MalformedItem } from '../blocks/items.ts'
import { writeReply } from '../blocks/replies.ts'
import { toAsk } from '../blocks/to-ask.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { Run } from '../protocol/run.ts'
import type { HolderLink } from './holder/connect.ts'
import { continueAll, type Scope, stopAll } from './processes.ts'
import { type ReplyOptions, replyTo } from './replies.ts'

export interface DeskOptions extends ReplyOptions {
  hub: HubApi
  run: Run
  /** Of this start of the run: the same block of another start is another request. */
  start: string
  link: HolderLink
  scope: Scope
  pause: 'stop' | 'none'
  /** The deadline of a block that names none. */
  timeout: number | null
  /** Shows an open request to whoever is there; until the signal. */
  announce: (request: Request, settled: AbortSignal) => void
  /** A line for the person, and for the log. */
  say: (text: string) => void
  /** The run cannot go on. */
  fail: (reason: string) => void
}

// A reader that is stopped takes so much; the rest of a longer reply is written once it goes on.
const pipeRoom = 64 * 1_024

/**
 * Where the blocks of a run become requests, and their outcomes replies. The order is: stored, stopped, announced; then
 * written while stopped, confirmed, and continued when nothing is open any more.
 */
export function createDesk(options: DeskOptions) {
  const { hub, run, link, scope, say } = options
  const open = new Map<string, AbortController>()
  return { take, close, isWaiting: () => open.size > 0 }

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
        if (item.error.fatal) options.fail(item.error.message)
        return
      case 'fenced':
        return report(`A [${item.tag}] block inside of a code fence is taken for text.`)
      case 'custom-complete':
        return say('The task is complete.')
    }
  }

  async function ask(item: Extract<Item, { type: 'question' | 'dependency' | 'phase' }>) {
    const asked = toAsk(item)
    const timeout = asked.timeout === undefined ? options.timeout : asked.timeout
    const key = `${options.start}-block-${item.start}`
    const agent = { name: run.name, cwd: run.cwd }
    const request = await hub.raise({ ...asked, timeout, key, run: run.id, agent })
    if (request.status !== 'pending') return deliver(request)
    const settled = new AbortController()
    open.set(request.id, settled)
    if (options.pause === 'stop') await stopAll(run.id, scope)
    options.announce(request, settled.signal)
    hub.wait(request.id, { signal: settled.signal }).then(deliver, onLost)
  }

  /** The hub was closed, or we are: whoever comes next goes on with it. */
  function onLost(error: unknown) {
    if (!(error instanceof BeckonError) && !(error instanceof Error && error.name === 'AbortError')) throw error
  }

  async function deliver(request: Request): Promise<void> {
    const settled = open.get(request.id)
    try {
      if (mustEnd(request)) return options.fail(`It needs ${nameOf(request)}, which was not provided.`)
      const reply = Buffer.from(await replyTo(hub, request, options))
      if (reply.length > pipeRoom) await goOn()
      const failure = await link.input(request.id, reply)
      if (failure !== null) return say(`The answer to ${request.id} could not be given to the agent: ${failure}`)
      await hub.confirmDelivery(request.id)
    } catch (error) {
      say(`The answer to ${request.id} could not be delivered: ${error instanceof Error ? error.message : error}`)
    } finally {
      open.delete(request.id)
      settled?.abort()
      if (open.size === 0) await goOn()
    }
  }

  async function goOn() {
    if (options.pause === 'stop') await continueAll(run.id, scope)
  }

  async function refuse({ tag, reason }: MalformedItem) {
    await report(`A [${tag}] block cannot be read: ${reason}`)
    await link.input(
      `malformed-${reason.length}-${Math.random()}`,
      Buffer.from(writeReply({ type: 'protocol-error', tag, reason })),
    )
  }

  async function report(message: string) {
    say(message)
    await hub.changeRun(run.id, { error: message.slice(0, 10_000) }).catch(() => {})
  }

  function close() {
    for (const settled of open.values()) settled.abort()
  }
}

/** Without what it requires, a run has nothing to go on with. */
function mustEnd({ kind, required, outcome }: Request): boolean {
  return kind === 'dependency' && required && outcome?.status !== 'answered'
}

function nameOf(request: Request): string {
  return request.kind === 'dependency' ? request.name : request.kind
}
