import { BeckonError, invalid, type Keep, type Kept, type KeptApi, referenceOf } from '../protocol/index.ts'
import { type FileContext, validateDependencyValue } from '../rules/dependency-value.ts'
import { outcome } from '../rules/outcomes.ts'
import type { Sealer } from '../secrets/seal.ts'
import { keptLock } from '../store/locks.ts'
import type { KeptRecord, NewEvent, RequestRecord } from '../store/records.ts'
import type { Store, Transaction, View } from '../store/store.ts'
import { isValid } from './access/grant.ts'
import type { Caller } from './caller.ts'
import { newId } from './ids.ts'
import { bindKey, openKept, sealValue } from './sealing.ts'
import { settle } from './settle.ts'
import { toKept } from './to-protocol.ts'

// A person who provides a value may keep it, which is a rule: a later ask for the same type and name, by an agent of the same
// owner in the same directory (or any, if the person said so), is stored like every other and settled by the rule in the
// same transaction, as answered by the person who made it, on the channel `rule`. The owner is the token that started the
// run, by its id, or the user of this machine; a token's name proves nothing. An agent can claim any directory, so what
// counts is the directory of its run, which its supervisor declared. A token outside of a run gets no kept values.

export function createKeptValues(store: Store, caller: Caller): KeptApi {
  return {
    list: async () => (await store.read(view => view.kept())).map(toKept),

    async forget(name) {
      let forgotten: KeptRecord | null = null
      return store.change(async (tx): Promise<Kept> => {
        const kept = await tx.keptByName(name)
        // The commit's acknowledgement was lost: this call has deleted it already.
        if (!kept && tx.alreadyCommitted && forgotten) return toKept(forgotten)
        if (!kept || !(await deleteKept(tx, kept, caller.user)))
          throw new BeckonError('not_found', `Nothing is kept as ${name}.`)
        forgotten = kept
        return toKept(kept)
      }, keptLock)
    },
  }
}

/** For tokens that were revoked: nobody can ever get these values again. */
export async function deleteKeptOf(tx: Transaction, tokens: ReadonlySet<string>, by: string): Promise<void> {
  tx.lock(keptLock)
  for (const kept of await tx.kept()) {
    if (kept.token !== null && tokens.has(kept.token)) await deleteKept(tx, kept, by)
  }
}

async function deleteKept(tx: Transaction, kept: KeptRecord, by: string): Promise<boolean> {
  if (!(await tx.deleteKept(kept.id))) return false
  // After the rule itself: an ask that was taking a value by it has committed by now.
  await tx.unsealKept(kept.id)
  tx.append(eventOf('kept.removed', kept, by))
  return true
}

/** The name to keep the value by; throws where it cannot be kept. Nobody else chooses a name until the commit. */
export async function chooseName(tx: Transaction, request: RequestRecord, keep: Keep): Promise<string> {
  const origin = await originOf(tx, request)
  if (request.kind !== 'dependency') throw cannotKeep('only the value of a dependency is kept')
  if (request.body.type === 'permission') throw cannotKeep('a permission is given once, and not kept')
  if (!origin)
    throw cannotKeep('the value cannot be kept: a request over HTTP outside of a run does not prove its directory')
  tx.lock(keptLock)
  if (origin.token !== null && !(await isValidToken(tx, origin.token)))
    throw cannotKeep('the value cannot be kept: the token of its run was revoked or has expired')
  const usual = String(request.body.name)
  if (keep.name === undefined) return firstFreeName(tx, usual, origin, keep)
  const taken = await tx.keptByName(keep.name)
  if (taken && !isFor(taken, origin, keep)) throw cannotKeep(`${keep.name} is taken by another value`)
  return keep.name
}

/** Replaces the value that was kept for the same asks before. */
export async function keepValue(
  tx: Transaction,
  sealer: Sealer,
  request: RequestRecord,
  value: string,
  { name, everywhere, by }: { name: string; everywhere: boolean; by: string },
): Promise<void> {
  const origin = await originOf(tx, request)
  if (!origin) return
  await bindKey(tx, sealer)
  const keptAt = await tx.now()
  const old = (await tx.kept()).find(kept => isFor(kept, origin, { everywhere }))
  // Under the same id, so that `forget` also finds the values that the old one gave.
  const id = old?.id ?? newId('kept', keptAt)
  if (old) await tx.deleteKept(id)
  const { directory, host, ...rest } = origin
  const where = everywhere ? { directory: null, host: null } : { directory, host }
  const { bytes } = sealer.seal(id, value)
  const { fingerprint } = sealer
  const kept = { id, name, ...rest, ...where, by, keptAt, lastUsedAt: null, bytes, fingerprint }
  await tx.insertKept(kept)
  tx.append(eventOf('kept.added', kept, by))
}

/** Settles a request that was just stored, if there is a rule for it; otherwise it waits for a person. */
export async function answerByRule(
  tx: Transaction,
  request: RequestRecord,
  { sealer, token, context }: { sealer: Sealer; token: string | null; context: FileContext },
): Promise<RequestRecord> {
  const origin = await originOf(tx, request)
  // An ask over HTTP gets what was kept over HTTP, and one on this machine what was kept on this machine.
  if (!origin || (token === null) !== (origin.token === null)) return request
  const kept = await tx.keptFor(origin)
  const value = kept && validValue(sealer, kept, context)
  if (!value) return request
  const at = await tx.now()
  if (!(await tx.takeKept(kept.id, at))) return request
  const decision = outcome('answered', { by: kept.by, channel: 'rule' }, at, { reference: referenceOf(request.id) })
  const { record } = await settle(tx, request, decision, { data: { kept: kept.name } })
  await sealValue(tx, sealer, request, value, kept.id)
  return record
}

/** Without a request or run: these events are for people and not for askers. */
function eventOf(type: 'kept.added' | 'kept.removed', kept: KeptRecord, by: string): NewEvent {
  const { name, dependency, directory } = kept
  return { type, request: null, run: null, data: { name, type: kept.type, dependency, directory, by } }
}

/** Who asks for what, and where; null where that cannot be trusted. */
async function originOf(view: Pick<View, 'run'>, request: RequestRecord) {
  const { type, name: dependency } = request.body as { type: KeptRecord['type']; name: string }
  if (request.run === null) {
    if (request.scope.startsWith('token:')) return null
    return { user: request.user, token: null, directory: request.agent.cwd, host: request.host, type, dependency }
  }
  const run = await view.run(request.run)
  return run && { user: run.user, token: run.token, directory: run.cwd, host: run.host, type, dependency }
}

type Origin = NonNullable<Awaited<ReturnType<typeof originOf>>>

function isFor(kept: KeptRecord, origin: Origin, { everywhere }: Pick<Keep, 'everywhere'>): boolean {
  const { directory, host } = everywhere ? { directory: null, host: null } : origin
  const isTheirs = kept.token === origin.token && (origin.token !== null || kept.user === origin.user)
  const same = isTheirs && kept.type === origin.type && kept.dependency === origin.dependency
  return same && kept.directory === directory && kept.host === host
}

async function isValidToken(tx: Transaction, id: string): Promise<boolean> {
  const token = await tx.token(id)
  return token !== null && isValid(tx, token)
}

/** `NAME`, `NAME-2`, `NAME-3` …; the present name, where the value replaces an older one. */
async function firstFreeName(tx: Transaction, usual: string, origin: Origin, keep: Keep): Promise<string> {
  const all = await tx.kept()
  const replaced = all.find(kept => isFor(kept, origin, keep))
  if (replaced) return replaced.name
  const taken = new Set(all.map(({ name }) => name))
  let name = usual
  for (let n = 2; taken.has(name); n += 1) name = `${usual}-${n}`
  return name
}

/** Null where it can no longer be opened, or is not valid for this ask: then a person is asked. */
function validValue(sealer: Sealer, kept: KeptRecord, context: FileContext): string | null {
  try {
    return validateDependencyValue(kept.type, openKept(sealer, kept), context).value ?? null
  } catch {
    return null
  }
}

function cannotKeep(message: string): BeckonError {
  return invalid([{ path: 'keep', message }])
}
