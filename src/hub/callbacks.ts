import { hash } from 'node:crypto'
import { BeckonError, type CallbacksApi, invalid } from '../protocol/index.ts'
import type { Sealer } from '../secrets/seal.ts'
import { outboxLock } from '../store/locks.ts'
import type { CallbackRecord } from '../store/records.ts'
import type { Store, Transaction, View } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { callbackOccasion, callbackTarget } from './machine-occasion.ts'
import { bindKey, type OpenTarget, type Sealing } from './sealing.ts'
import { writeMessage } from './write-message.ts'

// A caller that cannot wait, such as a function in the cloud, gives an address with its ask. The address is sealed and
// stored together with the request. Once the request is settled, however that happens, a sender moves it to the outbox.

/** What is wrong with an address, in words that follow its name; null where it may be called. */
export type CheckCallback = (url: string) => Promise<string | null>

/** An address that was checked and sealed for its request. */
export interface PreparedCallback {
  add(tx: Transaction, request: string): Promise<void>
}

interface Options {
  store: Store
  sealing: Sealing
  caller: Caller
  check: CheckCallback
}

// Everybody who joins a request may name an address of their own.
const mostCallbacks = 20
const page = 200

export function createCallbacks({ store, sealing, caller, check }: Options) {
  const callbacks: CallbacksApi = {
    secret: async () => secretOf(await store.read(view => sealing.sealer(view)), caller),
  }
  return { callbacks, prepare }

  /** Refuses an address that may not be called, before anything is stored. */
  async function prepare(given: string | null | undefined): Promise<PreparedCallback | null> {
    if (!given) return null
    const url = new URL(given)
    url.hash = ''
    const problem = await check(url.href)
    if (problem !== null) throw invalid([{ path: 'callbackUrl', message: problem }])
    const sealer = await store.read(view => sealing.sealer(view))
    return { add: (tx, request) => add(tx, request, url, sealer) }
  }

  async function add(tx: Transaction, request: string, url: URL, sealer: Sealer) {
    const mark = hash('sha256', url.href, 'base64url').slice(0, 22)
    const marks = await tx.callbackMarks(request)
    if (marks.includes(mark)) return
    if (marks.length >= mostCallbacks) {
      throw new BeckonError('too_many', `${request} has ${mostCallbacks} callbacks already.`, { id: request })
    }
    await bindKey(tx, sealer)
    const { bytes } = sealer.seal(sealId(request, mark), url.href)
    const { token, user } = caller
    await tx.insertCallback({ request, mark, host: url.host, token, user, bytes, fingerprint: sealer.fingerprint })
  }
}

type Due = CallbackRecord & { settledAt: number }

/**
 * Moves the callbacks of settled requests to the outbox; returns how many. Looking through all that are open takes time, so a
 * sender that heard which requests were settled looks for those.
 */
export async function writeCallbacks(store: Store, requests: readonly string[] | null): Promise<number> {
  const find = requests ? (view: View) => dueOf(view, requests) : (view: View) => view.dueCallbacks(page)
  let written = 0
  for (;;) {
    if ((await store.read(find)).length === 0) return written
    written += await store.change(async tx => {
      const due = await find(tx)
      for (const { request, mark, host, settledAt } of due) {
        const target = `${callbackTarget}${host}`
        await writeMessage(tx, { subject: request, target, occasion: callbackOccasion(mark), at: settledAt })
        await tx.queueCallback(request, mark)
      }
      return due.length
    }, outboxLock)
  }
}

async function dueOf(view: View, requests: readonly string[]): Promise<Due[]> {
  return (await Promise.all(requests.map(request => view.dueCallbacksOf(request)))).flat()
}

/** The address and what signs for it; null when the token that asked was revoked. */
export async function openCallback(
  view: Pick<View, 'callback' | 'token'>,
  sealer: Sealer,
  request: string,
  mark: string,
): Promise<OpenTarget | null> {
  const callback = await view.callback(request, mark)
  if (!callback || !(await isTrusted(view, callback))) return null
  const url = sealer.open(sealId(request, mark), callback.bytes)
  return { kind: 'callback', name: callback.host, url, secret: secretOf(sealer, callback) }
}

/** A token that has only expired may still hear how its requests ended. */
async function isTrusted(view: Pick<View, 'token'>, { token }: CallbackRecord): Promise<boolean> {
  if (token === null) return true
  const record = await view.token(token)
  return record !== null && record.revokedAt === null
}

/** Each token has its own, so that nobody can sign a callback to somebody else. */
function secretOf(sealer: Sealer, { token, user }: Pick<Caller, 'token' | 'user'>): string {
  return `beckon_callback_${sealer.secretFor(token === null ? `user ${user}` : `token ${token}`)}`
}

function sealId(request: string, mark: string): string {
  return `${request} ${mark}`
}
