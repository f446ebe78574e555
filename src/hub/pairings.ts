import { type BeckonError, invalid, type Pairing, type PairingsApi } from '../protocol/index.ts'
import { chatLock } from '../store/locks.ts'
import type { PairingRecord, TargetRecord } from '../store/records.ts'
import type { Store, View } from '../store/store.ts'
import { botOf, validPairings } from './bots.ts'
import type { Caller } from './caller.ts'
import { newId } from './ids.ts'
import { pressWarning } from './link-warning.ts'
import { notFound } from './not-found.ts'
import { hashOfCode, newCode } from './pairing-codes.ts'
import { type OpenTarget, openTarget, type Sealing } from './sealing.ts'

// A person proves that an account of a chat is theirs: they get a code here, where they are signed in, and send it to the bot
// from there. A topic of ntfy has no accounts: who may read it is its own server's business, so it is paired as a whole.

/** What the chat says about itself, before anybody is paired with it. The hub itself has no connections. */
export type PreparePairing = (target: OpenTarget) => Promise<{
  /** What the bot calls itself. */
  bot: string | null
  /** The link that opens the chat and sends the code. */
  linkOf: ((code: string) => string) | null
}>

interface Options {
  store: Store
  sealing: Sealing
  caller: Caller
  preparePairing: PreparePairing
}

const codeLasts = 10 * 60_000

export function createPairings({ store, sealing, caller, preparePairing }: Options): PairingsApi {
  return {
    async start(name) {
      const [record, sealer] = await store.read(async view => [
        await view.targetByName(name),
        await sealing.sealer(view),
      ])
      if (!record) throw notFound('target', name)
      const target = openTarget(sealer, record)
      if (!isPairable(target)) throw notPairable(target)
      const { bot, linkOf } = await preparePairing(target)
      const warning = pressWarning(target, await store.read(view => view.inboxAddress()))
      if (target.kind === 'ntfy') return { ...nothing, bot, pairing: await pairWhole(record, target), warning }
      const code = newCode()
      const expiresAt = await storeCode(record, code)
      return {
        code,
        link: linkOf?.(code) ?? null,
        bot,
        expiresAt: new Date(expiresAt).toISOString(),
        pairing: null,
        warning,
      }
    },

    list: () =>
      store.read(async view => {
        const targets = new Map((await view.targets()).map(target => [target.id, target]))
        return (await validPairings(view)).flatMap(pairing => showIn(targets, pairing))
      }),

    async remove(id) {
      let removed: Pairing | null = null
      return store.change(async (tx): Promise<Pairing> => {
        if (tx.alreadyCommitted && removed && !(await tx.pairing(id))) return removed
        const pairing = await tx.pairing(id)
        const target = pairing && (await tx.target(pairing.target))
        if (!pairing || !target || !(await tx.deletePairing(id))) throw notFound('pairing', id)
        removed = show(pairing, target)
        return removed
      }, chatLock)
    },
  }

  async function pairWhole(target: TargetRecord, open: OpenTarget): Promise<Pairing> {
    let made: PairingRecord | null = null
    return store.change(async tx => {
      if (tx.alreadyCommitted && made && (await tx.pairing(made.id))) return show(made, target)
      await needTarget(tx, target)
      const createdAt = await tx.now()
      const { user: person, token } = caller
      const whole = { account: '*', label: 'everybody who can read the topic', chat: '' }
      const bot = botOf(target.id, open)
      made = { id: newId('pair', createdAt), target: target.id, bot, ...whole, person, token, createdAt }
      await tx.insertPairing(made)
      return show(made, target)
    }, chatLock)
  }

  function storeCode(target: TargetRecord, code: string): Promise<number> {
    const wanted = hashOfCode(code)
    return store.change(async tx => {
      const stored = tx.alreadyCommitted ? await tx.pairingCode(wanted) : null
      if (stored) return stored.expiresAt
      await needTarget(tx, target)
      const expiresAt = (await tx.now()) + codeLasts
      const { user: person, token } = caller
      await tx.insertPairingCode({ hash: wanted, target: target.id, person, token, expiresAt, pairing: null })
      return expiresAt
    }, chatLock)
  }
}

const nothing = { code: null, link: null, expiresAt: null }

/** Removing a target takes the same lock. */
async function needTarget(view: Pick<View, 'target'>, { id, name }: TargetRecord): Promise<void> {
  if (!(await view.target(id))) throw notFound('target', name)
}

function isPairable(target: OpenTarget): boolean {
  if (target.kind === 'telegram') return true
  return (target.kind === 'slack' || target.kind === 'ntfy') && target.secret !== null
}

function notPairable({ kind, name }: OpenTarget): BeckonError {
  const why: Partial<Record<OpenTarget['kind'], string>> = {
    ntfy: 'is a topic without a token: anybody who knows its name could answer. Protect the topic, and add it again with --secret-from',
    slack: 'is an incoming webhook, which has no buttons. Add it as an app instead: see docs/chat.md',
  }
  return invalid([{ path: 'target', message: `${name} ${why[kind] ?? 'has no buttons to answer with'}` }])
}

function showIn(targets: ReadonlyMap<string, TargetRecord>, pairing: PairingRecord): Pairing[] {
  const target = targets.get(pairing.target)
  return target ? [show(pairing, target)] : []
}

function show({ id, label, person, createdAt }: PairingRecord, { name, kind }: TargetRecord): Pairing {
  return { id, target: name, kind, account: label, person, createdAt: new Date(createdAt).toISOString() }
}
