import { chatLock } from '../store/locks.ts'
import type { PairingRecord, PressRecord } from '../store/records.ts'
import type { Store, View } from '../store/store.ts'
import { stillCounts } from './access/grant.ts'
import { addressed, botOf, validPairings } from './bots.ts'
import { newId } from './ids.ts'
import { hashOfCode } from './pairing-codes.ts'
import { type OpenTarget, openTarget, type Sealing } from './sealing.ts'

// A press is a row before the chat hears that it arrived. The process that deals with it leases it: by compare-and-set it moves
// `due` to the end of the lease. When a server dies between press and settling, its lease runs out and the next server
// deals with the same press; the request itself settles once. One server at a time listens to a bot, by a lease too.

/** A target that people can answer in. Targets with the same credentials are one bot. */
export interface ChatTarget {
  id: string
  bot: string
  target: OpenTarget
}

/** Who pressed or wrote, as the chat tells it. */
export interface ChatAccount {
  account: string
  /** What the account calls itself. */
  label: string
  /** Where the bot can write to it. */
  chat: string
}

export type LeasedPress = PressRecord

/** All that a chat sees of the store. */
export interface ChatStore {
  targets(): Promise<ChatTarget[]>
  /** Pairs the account that sent this code to a bot; null for a code that is unknown, used, expired or of another bot. */
  pair(bot: ChatTarget[], code: string, account: ChatAccount): Promise<{ person: string; target: string } | null>
  /** The person that an account of a bot is paired with. */
  personOf(bot: string, account: string): Promise<string | null>
  /** Stores a press; false when it is stored already. */
  takePress(press: Pick<PressRecord, 'id' | 'target' | 'account' | 'button' | 'place'>): Promise<boolean>
  leasePresses(limit: number): Promise<LeasedPress[]>
  /** False when the lease ran out: somebody else deals with it. */
  finishPress(press: LeasedPress, result: string): Promise<boolean>
  /** Whether this holder may listen to the bot for the next `duration` milliseconds. */
  listen(bot: string, holder: string, duration: number): Promise<boolean>
  stopListening(bot: string, holder: string): Promise<void>
  /** What a button carries beside its request and option, so that nobody else can make one. */
  sign(button: string): Promise<Buffer>
}

// Longer than settling a request and replying to the chat take.
const leaseDuration = 30_000

export function createChat(store: Store, sealing: Sealing): ChatStore {
  return {
    async targets() {
      const records = (await store.read(view => view.targets())).filter(({ kind }) => chatKinds.has(kind))
      if (records.length === 0) return []
      const [sealer, pairings] = await store.read(async view => [await sealing.sealer(view), await validPairings(view)])
      return records.map(record => {
        const target = addressed(record.id, openTarget(sealer, record), pairings)
        return { id: record.id, bot: botOf(record.id, target), target }
      })
    },

    pair(targets, code, account) {
      let paired: PairingRecord | null = null
      return store.change(async tx => {
        const wanted = await tx.pairingCode(hashOfCode(code))
        const target = targets.find(({ id }) => id === wanted?.target)
        if (!wanted || !target) return null
        const now = await tx.now()
        // The commit's acknowledgement was lost: this call has used the code already.
        const isMine = tx.alreadyCommitted && paired !== null && wanted.pairing === (paired as PairingRecord).id
        const { person, token } = wanted
        if (isMine) return { person, target: target.target.name }
        const id = newId('pair', now)
        if (!(await stillCounts(tx, token)) || !(await tx.usePairingCode(wanted.hash, id, now))) return null
        paired = { id, target: target.id, bot: target.bot, ...account, person, token, createdAt: now }
        await tx.insertPairing(paired)
        return { person, target: target.target.name }
      }, chatLock)
    },

    personOf: (bot, account) =>
      store.read(async view => {
        const pairing = await view.pairingFor(bot, account)
        return pairing && (await stillCounts(view, pairing.token)) ? pairing.person : null
      }),

    takePress(press) {
      let taken = false
      return store.change(async tx => {
        if (tx.alreadyCommitted && taken) return true
        const now = await tx.now()
        taken = await tx.insertPress({ ...press, due: now, createdAt: now, doneAt: null, result: null })
        return taken
      }, chatLock)
    },

    async leasePresses(limit) {
      const due = await store.read(async view => view.duePresses(await view.now(), limit))
      const leased = await Promise.all(due.map(leaseOne))
      return leased.filter(press => press !== null)
    },

    finishPress(press, result) {
      let finished = false
      return store.change(async tx => {
        if (tx.alreadyCommitted && finished) return true
        finished = await tx.finishPress(press.id, press.due, await tx.now(), result)
        return finished
      }, chatLock)
    },

    async listen(bot, holder, duration) {
      // Most calls change nothing, and need no transaction.
      const seen = await store.read(view => turnOf(view, bot, holder))
      if (seen.isTaken || seen.left > (duration * 2) / 3) return !seen.isTaken
      return store.change(async tx => {
        if ((await turnOf(tx, bot, holder)).isTaken) return false
        await tx.saveListener({ bot, holder, until: (await tx.now()) + duration })
        return true
      }, chatLock)
    },

    stopListening: (bot, holder) => store.change(tx => tx.deleteListener(bot, holder), chatLock),

    sign: async button => (await store.read(view => sealing.sealer(view))).sign('button', button),
  }

  function leaseOne(seen: PressRecord): Promise<LeasedPress | null> {
    let leased: LeasedPress | null = null
    return store.change(async tx => {
      // The commit's acknowledgement was lost: the lease is ours already.
      if (tx.alreadyCommitted && leased && (await tx.press(seen.id))?.due === leased.due) return leased
      leased = await tx.leasePress(seen.id, seen.due, (await tx.now()) + leaseDuration)
      return leased
    }, chatLock)
  }
}

const longestListening = 600_000

/** Whether somebody else listens to the bot now; else how many milliseconds are left of this holder's turn. */
async function turnOf(view: Pick<View, 'now' | 'listener'>, bot: string, holder: string) {
  const [now, present] = [await view.now(), await view.listener(bot)]
  // A clock that was set back must not keep everybody away for long.
  const left = present && present.until <= now + longestListening ? Math.max(0, present.until - now) : 0
  return present?.holder === holder ? { isTaken: false, left } : { isTaken: left > 0, left: 0 }
}

const chatKinds = new Set<string>(['slack', 'telegram', 'ntfy'])
