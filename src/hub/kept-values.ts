import { BeckonError, invalid, type Keep, type Kept, type KeptApi, referenceOf } from '../protocol/index.ts'
import { type Place, validateDependencyValue } from '../rules/dependency-value.ts'
import { outcome } from '../rules/outcomes.ts'
import type { Sealer } from '../secrets/seal.ts'
import type { KeptRecord, NewEvent, RequestRecord } from '../store/records.ts'
import type { Store, Transaction, View } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { newId } from './ids.ts'
import { bindKey, openKept, sealValue } from './sealing.ts'
import { settle } from './settle.ts'
import { showKept } from './to-protocol.ts'

// A person who provides a value may keep it: a rule. A later ask for the same type and name, by an agent of the same
// user in the same directory (or any, if the person said so), is stored like every other and settled by the rule in the
// same transaction: answered, by the person who made it, on the channel `rule`. Where an agent could say anything about
// where it is, what counts is what its supervisor said: the directory of its run. Who asks with a token and without a
// run gets nothing by a rule.

export function createKeptValues(store: Store, caller: Caller): KeptApi {
  return {
    list: async () => (await store.read(view => view.kept())).map(showKept),

    async forget(name) {
      let forgotten: KeptRecord | null = null
      return store.change(async (tx): Promise<Kept> => {
        const kept = await tx.keptByName(name)
        // The word of our commit was lost: it was we who deleted it.
        if (!kept && tx.happened && forgotten) return showKept(forgotten)
        if (!kept || !(await tx.deleteKept(kept.id))) throw new BeckonError('not_found', `Nothing is kept as ${name}.`)
        // After the rule itself: whoever was taking a value by it has committed by now.
        await tx.unsealKept(kept.id)
        tx.append(eventOf('kept.removed', kept, caller.user))
        forgotten = kept
        return showKept(kept)
      })
    },
  }
}

/** The name that it will be kept by; throws where it cannot be kept. Nobody else picks one until the commit. */
export async function chooseName(tx: Transaction, request: RequestRecord, keep: Keep): Promise<string> {
  const place = await placeOfAsk(tx, request, null)
  if (request.kind !== 'dependency') throw cannotKeep('only the value of a dependency is kept')
  if (request.body.type === 'permission') throw cannotKeep('a permission is given for one thing, and not kept')
  if (!place)
    throw cannotKeep('it cannot be kept: asked for over HTTP outside of any run, it is not sure from which folder')
  await tx.lock('kept')
  const usual = String(request.body.name)
  if (keep.name === undefined) return firstFree(tx, usual, place, keep)
  const taken = await tx.keptByName(keep.name)
  if (taken && !isSamePlace(taken, place, keep)) throw cannotKeep(`${keep.name} is taken by something else`)
  return keep.name
}

/** In place of what was kept for the same asks before. */
export async function keepValue(
  tx: Transaction,
  sealer: Sealer,
  request: RequestRecord,
  value: string,
  { name, everywhere, by }: { name: string; everywhere: boolean; by: string },
): Promise<void> {
  const place = await placeOfAsk(tx, request, null)
  if (!place) return
  await bindKey(tx, sealer)
  const keptAt = await tx.now()
  const old = (await tx.kept()).find(one => isSamePlace(one, place, { everywhere }))
  // By the same id, so that taking it back finds what was given by the old one, too.
  const id = old?.id ?? newId('kept', keptAt)
  if (old) await tx.deleteKept(id)
  const { directory, host, ...rest } = place
  const where = everywhere ? { directory: null, host: null } : { directory, host }
  const { bytes } = sealer.seal(id, value)
  const { fingerprint } = sealer
  const kept = { id, name, ...rest, ...where, by, keptAt, lastUsedAt: null, bytes, fingerprint }
  await tx.insertKept(kept)
  tx.append(eventOf('kept.added', kept, by))
}

/** Settles a request that was just stored, where there is a rule for it; otherwise it waits for a person. */
export async function answerByRule(
  tx: Transaction,
  request: RequestRecord,
  { sealer, token, place }: { sealer: Sealer; token: string | null; place: Place },
): Promise<RequestRecord> {
  const asked = await placeOfAsk(tx, request, token)
  const kept = asked && (await tx.keptFor(asked))
  const value = kept && goodValue(sealer, kept, place)
  if (!value) return request
  const at = await tx.now()
  if (!(await tx.takeKept(kept.id, at))) return request
  const decision = outcome('answered', { by: kept.by, channel: 'rule' }, at, { reference: referenceOf(request.id) })
  const { record } = await settle(tx, request, decision, { data: { kept: kept.name } })
  await sealValue(tx, sealer, request, value, kept.id)
  return record
}

/** Of no request and no run: it is for people, and not for whoever asked. */
function eventOf(type: 'kept.added' | 'kept.removed', kept: KeptRecord, by: string): NewEvent {
  const { name, dependency, directory } = kept
  return { type, request: null, run: null, data: { name, type: kept.type, dependency, directory, by } }
}

/** Who asks for what, and where, as far as that is sure. */
async function placeOfAsk(view: Pick<View, 'run'>, request: RequestRecord, token: string | null) {
  const { type, name: dependency } = request.body as { type: KeptRecord['type']; name: string }
  if (request.run === null) {
    if (token !== null || request.scope.startsWith('token:')) return null
    return { user: request.user, directory: request.agent.cwd, host: request.host, type, dependency }
  }
  const run = await view.run(request.run)
  return run && { user: run.user, directory: run.cwd, host: run.host, type, dependency }
}

type AskPlace = NonNullable<Awaited<ReturnType<typeof placeOfAsk>>>

function isSamePlace(kept: KeptRecord, place: AskPlace, { everywhere }: Pick<Keep, 'everywhere'>): boolean {
  const { directory, host } = everywhere ? { directory: null, host: null } : place
  const same = kept.user === place.user && kept.type === place.type && kept.dependency === place.dependency
  return same && kept.directory === directory && kept.host === host
}

/** `NAME`, `NAME-2`, `NAME-3` …; the one that it has already, where it replaces something. */
async function firstFree(tx: Transaction, usual: string, place: AskPlace, keep: Keep): Promise<string> {
  const kept = await tx.kept()
  const same = kept.find(one => isSamePlace(one, place, keep))
  if (same) return same.name
  const taken = new Set(kept.map(({ name }) => name))
  let name = usual
  for (let n = 2; taken.has(name); n += 1) name = `${usual}-${n}`
  return name
}

/** Null where it cannot be opened any more, or does not fit this ask: then a person is asked. */
function goodValue(sealer: Sealer, kept: KeptRecord, place: Place): string | null {
  try {
    return validateDependencyValue(kept.type, openKept(sealer, kept), place).value ?? null
  } catch {
    return null
  }
}

function cannotKeep(message: string): BeckonError {
  return invalid([{ path: 'keep', message }])
}
