import { hash, randomBytes } from 'node:crypto'
import {
  addTargetSchema,
  BeckonError,
  botAddresses,
  type ChangeTarget,
  changeTargetSchema,
  type HubApi,
  invalid,
  type PushApi,
  pushEndpointSchema,
  pushSubscriptionSchema,
  type Target,
  type TargetsApi,
  type TargetTest,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import type { Sealer } from '../secrets/seal.ts'
import { outboxLock } from '../store/locks.ts'
import type { TargetRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import { addressed, isBot, validPairings } from './bots.ts'
import type { Caller } from './caller.ts'
import { newId } from './ids.ts'
import { linkWarning } from './link-warning.ts'
import { notFound } from './not-found.ts'
import { loadPushKeys } from './push-keys.ts'
import { bindKey, type OpenTarget, openTarget, type PushKeys, type Sealing } from './sealing.ts'
import { changeWants } from './target-wants.ts'
import { toTarget } from './to-protocol.ts'

// Where people get messages about new requests. Only people add targets, because a target receives the titles of requests.
// A target gets messages about what is asked after it was added.

/** Sends one test message. The hub itself has no connections. */
export type SendTest = (
  target: OpenTarget,
  options: { url: string; pushKeys: PushKeys | null; timeZone?: string | undefined },
) => Promise<Omit<TargetTest, 'warning'>>

type TargetVerbs = Pick<HubApi, 'targets' | 'push'>

interface Options {
  store: Store
  sealing: Sealing
  caller: Caller
  sendTest: SendTest
  /** This machine. */
  host: string
}

const defaultUrl = 'http://127.0.0.1:4141'

export function createTargets({ store, sealing, caller, sendTest, host }: Options): TargetVerbs {
  const targets: TargetsApi = {
    async add(input) {
      const {
        kind,
        secret,
        name,
        channel,
        appToken,
        signingSecret,
        url: given,
        events,
        ...wants
      } = parse(addTargetSchema, input)
      const url = given ?? (kind === 'slack' || kind === 'telegram' ? botAddresses[kind] : null)
      // A webhook always has a secret, so that its receiver can verify the signature.
      const made = kind === 'webhook' && !secret ? `beckon_hook_${randomBytes(24).toString('base64url')}` : null
      const sealer = await store.read(view => sealing.sealer(view))
      const record = await add(async tx => ({
        kind,
        name: name ?? (await firstFree(tx, kind)),
        shown: url === null ? host : shownOf(kind, url, channel),
        wants: {
          ...changeWants({ kinds: null, minSeverity: null }, wants),
          ...(events ? { events: [...new Set(events)] } : {}),
        },
        sealed: {
          url,
          secret: made ?? secret ?? null,
          ...(channel ? { channel } : {}),
          ...(appToken ? { appToken } : {}),
          ...(signingSecret ? { signingSecret } : {}),
        },
        sealer,
      }))
      const inbox = await store.read(view => view.inboxAddress())
      return { target: toTarget(record), secret: made, warning: linkWarning(kind, inbox) }
    },

    async change(name, input) {
      const changes = parse(changeTargetSchema, input)
      return store.change(async (tx): Promise<Target> => {
        const target = await tx.targetByName(name)
        if (!target) throw notFound('target', name)
        if (target.wants.events) refuseTiming(changes)
        const wants = changeWants(target.wants, changes)
        await tx.saveTargetWants(target.id, wants)
        return toTarget({ ...target, wants })
      }, outboxLock)
    },

    list: async () => (await store.read(view => view.targets())).map(toTarget),

    async remove(name) {
      let removed: TargetRecord | null = null
      return store.change(async (tx): Promise<Target> => {
        const target = await tx.targetByName(name)
        // The commit's acknowledgement was lost: this call has removed it already.
        if (!target && tx.alreadyCommitted && removed) return toTarget(removed)
        if (!target || !(await tx.deleteTarget(target.id))) throw notFound('target', name)
        removed = target
        return toTarget(target)
      }, outboxLock)
    },

    async test(name, { url } = {}) {
      const target = await store.read(view => view.targetByName(name))
      if (!target) throw notFound('target', name)
      return test(target, url ?? (await store.read(view => view.inboxAddress())) ?? defaultUrl)
    },
  }
  const push: PushApi = {
    key: async () => (await loadPushKeys(store, sealing)).publicKey,

    async subscribe(input) {
      const { endpoint, keys, urgentOnly, quickAnswers } = parse(pushSubscriptionSchema, input)
      const wants = {
        kinds: null,
        minSeverity: null,
        ...(urgentOnly ? { urgentOnly } : {}),
        ...(quickAnswers ? { quickAnswers } : {}),
      }
      const mark = markOf(endpoint)
      const sealer = await store.read(view => sealing.sealer(view))
      const record = await add(async tx => {
        // The same browser again, perhaps with another user or other keys: its latest subscription counts.
        const earlier = await tx.targetByMark(mark)
        if (earlier) await tx.deleteTarget(earlier.id)
        return {
          kind: 'push',
          name: `push-${mark.slice(0, 8)}`,
          shown: shownOf('push', endpoint),
          mark,
          token: caller.token,
          wants,
          sealed: { endpoint, keys },
          sealer,
        }
      })
      return toTarget(record)
    },

    async test(input, { url = defaultUrl } = {}) {
      const { endpoint } = parse(pushEndpointSchema, { endpoint: input })
      const target = await store.read(view => view.targetByMark(markOf(endpoint)))
      if (!target) throw notFound('target', 'this browser')
      return test(target, url)
    },

    async unsubscribe(input) {
      const { endpoint } = parse(pushEndpointSchema, { endpoint: input })
      let removed = false
      return store.change(async tx => {
        const target = await tx.targetByMark(markOf(endpoint))
        // The commit's acknowledgement was lost: this call has removed it already.
        if (!target && tx.alreadyCommitted && removed) return true
        removed = target !== null && (await tx.deleteTarget(target.id))
        return removed
      }, outboxLock)
    },
  }
  return { targets, push }

  async function test(target: TargetRecord, url: string): Promise<TargetTest> {
    const sealer = await store.read(view => sealing.sealer(view))
    const pushKeys = target.kind === 'push' ? await loadPushKeys(store, sealing) : null
    const { kind, shown, wants } = target
    if (kind === 'desktop' && shown !== host) {
      throw new BeckonError('not_allowed', `It is the desktop of ${shown}, and this is ${host}: run the test there.`)
    }
    const open = addressed(target.id, openTarget(sealer, target), await store.read(validPairings))
    if (isBot(open) && open.channel === undefined) throw nobodyPaired(open.name)
    const tested = await sendTest(open, { url, pushKeys, timeZone: wants.timeZone })
    return { ...tested, warning: linkWarning(kind, url) }
  }

  type NewTargetFields = Pick<TargetRecord, 'kind' | 'name' | 'shown'> & {
    wants?: TargetRecord['wants']
    mark?: string
    token?: string | null
    sealed: object
    sealer: Sealer
  }

  async function add(describe: (tx: Transaction) => Promise<NewTargetFields>): Promise<TargetRecord> {
    let added: TargetRecord | null = null
    return store.change(async tx => {
      // The commit's acknowledgement was lost: the target is stored already.
      if (tx.alreadyCommitted && added && (await tx.target(added.id))) return added
      const { sealed, sealer, ...made } = await describe(tx)
      if (await tx.targetByName(made.name)) throw invalid([{ path: 'name', message: `${made.name} is taken` }])
      await bindKey(tx, sealer)
      const createdAt = await tx.now()
      const id = newId('target', createdAt)
      const { bytes } = sealer.seal(id, JSON.stringify(sealed))
      const none = { mark: null, token: null, wants: { kinds: null, minSeverity: null } }
      const target = { ...none, ...made, id, by: caller.user, createdAt, bytes, fingerprint: sealer.fingerprint }
      // The first target gets no messages about events from before it.
      if ((await tx.targets()).length === 0) await tx.setOutboxCursor(await tx.lastEvent())
      await tx.insertTarget(target)
      added = target
      return target
    }, outboxLock)
  }
}

/** `webhook`, `webhook-2`, `webhook-3` … */
async function firstFree(tx: Transaction, kind: string): Promise<string> {
  const taken = new Set((await tx.targets()).map(({ name }) => name))
  let name = kind
  for (let n = 2; taken.has(name); n += 1) name = `${kind}-${n}`
  return name
}

/** With ntfy, Slack and push services, the path is the credential: only the origin is shown. */
function shownOf(kind: TargetRecord['kind'], url: string, channel?: string | null): string {
  const { origin, pathname, search } = new URL(url)
  if (channel) return `${channel} at ${origin}`
  return kind === 'webhook' ? `${origin}${pathname}${search ? '?…' : ''}` : `${origin}/…`
}

function nobodyPaired(name: string): BeckonError {
  const message = `has no channel, and nobody is paired with it yet: beckon notify pair ${name}`
  return invalid([{ path: 'target', message }])
}

function markOf(endpoint: string): string {
  return hash('sha256', endpoint, 'hex')
}

/** A program gets its events at once. */
function refuseTiming({ urgentOnly, after, quiet }: ChangeTarget): void {
  const given = Object.entries({ urgentOnly, after, quiet }).filter(([, value]) => value)
  const message = 'is for people: a webhook that chose events gets them at once'
  if (given.length > 0) throw invalid(given.map(([path]) => ({ path, message })))
}
