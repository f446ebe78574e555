import { BeckonError } from '../protocol/index.ts'
import type { Sealer } from '../secrets/seal.ts'
import { keyLock } from '../store/locks.ts'
import type { KeptRecord, PushKeysRecord, RequestRecord, SealedRecord, TargetRecord } from '../store/records.ts'
import type { Transaction, View } from '../store/store.ts'

/** A target with its sealed part opened: the address and its credentials. */
export type OpenTarget =
  | { kind: 'webhook' | 'ntfy'; name: string; url: string; secret: string | null }
  | BotTarget
  | { kind: 'desktop'; name: string }
  /** The address of an asker; its name is the host. */
  | { kind: 'callback'; name: string; url: string; secret: string }
  | { kind: 'push'; name: string; endpoint: string; keys: { p256dh: string; auth: string }; quickAnswers?: boolean }

/** Slack: an incoming webhook has an address and no secret; an app has both. */
interface BotTarget {
  kind: 'slack' | 'telegram'
  name: string
  url: string
  secret: string | null
  /** Without it, messages go to the first person who is paired with the bot. */
  channel?: string
  /** Of a Slack app: opens the connections of Socket Mode. */
  appToken?: string
  /** Of a Slack app: signs what Slack sends over HTTP. */
  signingSecret?: string
}

/** A P-256 key pair for VAPID (RFC 8292), both in base64url. */
export interface PushKeys {
  publicKey: string
  privateKey: string
}

/** Loads the key. With `create`, nothing was sealed yet and a new key may be made. */
export type LoadSealer = (options: { create: boolean }) => Promise<Sealer>

export interface Sealing {
  /** The sealer for this store; throws for a lost or wrong key, before anything is done. */
  sealer(view: Pick<View, 'fingerprint'>): Promise<Sealer>
}

export function createSealing(load: LoadSealer): Sealing {
  let loaded: Sealer | null = null
  return {
    async sealer(view) {
      const bound = await view.fingerprint()
      const fits = loaded !== null && (bound === null || bound === loaded.fingerprint)
      // The loaded key does not fit: somebody may have restored the right one meanwhile.
      const sealer = fits && loaded ? loaded : await load({ create: bound === null })
      if (bound !== null && bound !== sealer.fingerprint) throw wrongKey(bound, sealer.fingerprint)
      loaded = sealer
      return sealer
    },
  }
}

/** Stores the value that a person gave, or the kept one that a rule gave. */
export async function sealValue(
  tx: Transaction,
  sealer: Sealer,
  request: RequestRecord,
  value: string,
  kept: string | null = null,
): Promise<void> {
  // A run that has ended has deleted its seals already; nobody would come for this one.
  if (request.run !== null && !(await tx.holdRun(request.run))) return
  await bindKey(tx, sealer)
  const { fingerprint } = sealer
  await tx.seal({ request: request.id, run: request.run, ...sealer.seal(request.id, value), fingerprint, kept })
}

/** The first seal binds the store to its key. The lock keeps two processes with different keys from both being first. */
export async function bindKey(tx: Transaction, sealer: Sealer): Promise<void> {
  if ((await tx.fingerprint()) !== null) return
  tx.lock(keyLock)
  const bound = await tx.fingerprint()
  if (bound !== null && bound !== sealer.fingerprint) throw wrongKey(bound, sealer.fingerprint)
  await tx.setFingerprint(sealer.fingerprint)
}

export function openValue(sealer: Sealer, sealed: SealedRecord): string {
  if (sealed.fingerprint !== sealer.fingerprint) throw wrongKey(sealed.fingerprint, sealer.fingerprint)
  return sealer.open(sealed.request, sealed.bytes)
}

export function openKept(sealer: Sealer, kept: KeptRecord): string {
  if (kept.fingerprint !== sealer.fingerprint) throw wrongKey(kept.fingerprint, sealer.fingerprint)
  return sealer.open(kept.id, kept.bytes)
}

export function openTarget(sealer: Sealer, { id, kind, name, wants, bytes, fingerprint }: TargetRecord): OpenTarget {
  if (fingerprint !== sealer.fingerprint) throw wrongKey(fingerprint, sealer.fingerprint)
  const { quickAnswers } = wants
  return { kind, name, ...(quickAnswers ? { quickAnswers } : {}), ...JSON.parse(sealer.open(id, bytes)) }
}

export function openPushKeys(sealer: Sealer, { public: publicKey, bytes, fingerprint }: PushKeysRecord): PushKeys {
  if (fingerprint !== sealer.fingerprint) throw wrongKey(fingerprint, sealer.fingerprint)
  return { publicKey, privateKey: sealer.open('push', bytes) }
}

function wrongKey(bound: string, ours: string): BeckonError {
  const short = (fingerprint: string) => fingerprint.slice(0, 8)
  return new BeckonError(
    'wrong_key',
    `The secrets in this database were sealed with another key (${short(bound)}…, this one is ${short(ours)}…). Restore that key in BECKON_KEY or in the key file; nothing was changed.`,
  )
}
