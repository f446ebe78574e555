import type { AskOutcome } from '../protocol/answer.ts'
import type { AskInput } from '../protocol/ask.ts'
import type { AttachmentInput } from '../protocol/attachment.ts'
import { invalid } from '../protocol/errors.ts'
import type { AskOptions, HubApi } from '../protocol/hub.ts'
import { writeCall } from '../protocol/operations/arguments.ts'
import { operations as allOperations, type Operation, operation } from '../protocol/operations/index.ts'
import { type HubVerbs, setVerb, type Verb } from '../protocol/operations/verbs.ts'
import type { Request } from '../protocol/request.ts'
import type { UseOptions } from '../protocol/use.ts'
import { endsInEffect } from '../rules/ends-in-effect.ts'
import { waitAndListen, withCanReply } from '../rules/listening.ts'
import { askOutcome } from '../rules/outcome-value.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { createConnection } from './connection.ts'
import { followEvents } from './follow.ts'
import type { Outage } from './outage.ts'
import { createRemoteOperations } from './remote-operations.ts'
import { waitFor } from './wait.ts'

// Five megabytes over a slow line.
const attachmentTimeout = 300_000

export interface HttpHubOptions {
  url: string
  token?: string | null | undefined
  /** Who asks, for requests that do not say. */
  agent?: string | undefined
  directory?: string | undefined
  host?: string | undefined
  /** The Git branch in a directory of this machine. */
  branchOf?: (directory: string) => string | undefined
  /** Who answers and through which channel, where that is not simply the token and HTTP. */
  user?: string | null | undefined
  channel?: string | null | undefined
  fetch?: typeof fetch | undefined
  onOutage?: ((outage: Outage) => void) | undefined
  operations?: readonly Operation[]
}

/** The hub over HTTP: the same verbs, sent to a server. Runs in Node and in a browser. */
export function createHttpHub(options: HttpHubOptions): HubApi {
  const { url, token = null, agent, directory, host, user, channel, branchOf, operations = allOperations } = options
  const { onOutage } = options
  const connection = createConnection({ url, token, fetch: options.fetch ?? globalThis.fetch, onOutage })
  const remote = createRemoteOperations(connection.send)
  const { call, callEntry } = remote
  const reader = user ? { by: user } : {}
  const actor = { ...reader, ...(channel ? { channel } : {}) }
  const adapted: Partial<HubVerbs> = {
    raise,
    answer: (id, input) => call('answer', [id, { ...actor, ...input }]),
    skip: (id, input) => call('skip', [id, { ...actor, ...input }]),
    decline: (id, input) => call('decline', [id, { ...actor, ...input }]),
    cancel: (id, input) => call('cancel', [id, { ...actor, ...input }]),
    'messages.send': (id, input) => call('messages.send', [id, { ...reader, ...input }]),
    'drafts.save': async (id, draft) => {
      await call('drafts.save', [id, { ...reader, ...draft }])
    },
    'drafts.get': (id, options) => call('drafts.get', [id, { ...reader, ...options }]),
    'drafts.all': (id, options) => call('drafts.all', [id, { ...reader, ...options }]),
    'attachments.read': readAttachment,
    'attachments.add': addAttachment,
    use,
    events,
    reschedule: async (id, timeout) => call('reschedule', [id, timeout === null ? null : finite(timeout)]),
    'runs.start': input => call('runs.start', [{ ...(host ? { host } : {}), ...input }]),
    'logs.read': (run, { signal, ...options } = {}) => call('logs.read', [run, options], { signal }),
  }
  const hub = {
    ask,
    wait: async (id: string, options = {}) => waitFor(connection.closed, remote, id, options),
    follow: (options: Parameters<HubApi['follow']>[0]) => followEvents(connection, options),
    close: async () => connection.close(),
  }
  for (const operation of operations) {
    if (operation.serverOnly) continue
    const verb = (adapted as Record<string, Verb | undefined>)[operation.name]
    setVerb(hub, operation.name, verb ?? ((...args) => callEntry(operation, args)))
  }
  return hub as object as HubApi

  async function raise(input: AskInput) {
    const from = { ...(agent ? { name: agent } : {}), ...(directory ? { cwd: directory } : {}), ...input?.agent }
    const branch = from.branch ?? (from.cwd ? branchOf?.(from.cwd) : undefined)
    const files = input?.attachments?.length ? { attachments: input.attachments.map(inBase64) } : {}
    return call('raise', [{ ...input, ...files, agent: { ...from, ...(branch ? { branch } : {}) } }], {
      repeatable: input?.kind !== 'approval' || joinsEarlier(input),
    })
  }

  async function readAttachment(id: string, attachment: string): Promise<Uint8Array> {
    const { path } = writeCall(operation['attachments.read'], [id, attachment])
    const response = await connection.open(path, {}, AbortSignal.timeout(attachmentTimeout))
    return new Uint8Array(await response.arrayBuffer())
  }

  async function addAttachment(id: string, file: AttachmentInput) {
    const { path } = writeCall(operation['attachments.add'], [id, { name: file?.name }])
    return (await connection.send(operation['attachments.add'], path, bytesOf(file), {})).body as Request
  }

  /** A page without an event that this token may see is not the end, as long as it leads on. */
  async function events({ since = 0, ...options }: Parameters<HubApi['events']>[0] = {}): ReturnType<HubApi['events']> {
    const page = await call('events', [{ since, ...options }])
    return page.events.length > 0 || page.last === since ? page.events : events({ since: page.last, ...options })
  }

  /** With a nonce the call may be sent again: a reply that was lost burns nothing. */
  async function use(id: string, { nonce = randomNonce(), ...options }: UseOptions = {}) {
    const used = await call('use', [id, { ...options, nonce }], { repeatable: true })
    // Only now nobody needs the value again.
    if (used.value !== null && used.request.run === null) await call('confirmDelivery', [id]).catch(() => {})
    return used
  }

  async function ask(input: AskInput, options: AskOptions = {}): Promise<AskOutcome> {
    const raised = await raise(withCanReply(input, options))
    const { wait, messages } = hub as object as HubApi
    const settled = raised.status === 'pending' ? await waitAndListen({ wait, messages }, raised.id, options) : raised
    if (!endsInEffect(settled)) await call('confirmDelivery', [settled.id])
    else if (settled.kind === 'approval') await use(settled.id)
    return askOutcome(settled)
  }
}

/** Only by its key, or where it says so, is an approval the same as an earlier one: else to send it again would ask twice. */
function joinsEarlier({ key, takeUp }: Extract<AskInput, { kind: 'approval' }>): boolean {
  return Boolean(key || takeUp)
}

/** In a page on plain HTTP there is no `randomUUID`. */
function randomNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Checked here: JSON turns infinity into null, and null means no deadline. */
function finite(timeout: number): number {
  if (typeof timeout !== 'number' || Number.isFinite(timeout)) return timeout
  throw invalid([{ path: 'timeout', message: 'is not a duration; write 90s, 15m, 1h30m or 2d' }])
}

function bytesOf(file: AttachmentInput): Uint8Array {
  const data = file?.data
  if (data instanceof Uint8Array) return data
  if (typeof data !== 'string') throw invalid([{ path: 'data', message: 'must be bytes, or text in base64' }])
  try {
    return fromBase64(data)
  } catch {
    throw invalid([{ path: 'data', message: 'is not base64' }])
  }
}

/** JSON has no bytes. What is not a file is left as it is, for the server to refuse. */
function inBase64(file: AttachmentInput): AttachmentInput {
  return file?.data instanceof Uint8Array ? { ...file, data: toBase64(file.data) } : file
}
