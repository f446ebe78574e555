import { createECDH } from 'node:crypto'
import type { Store } from '../store/store.ts'
import { bindKey, openPushKeys, type PushKeys, type Sealing } from './sealing.ts'

/** The hub's key pair, made on first use. Browsers subscribe to it, so all nodes share it. */
export async function loadPushKeys(store: Store, sealing: Sealing): Promise<PushKeys> {
  const sealer = await store.read(view => sealing.sealer(view))
  const stored = await store.read(view => view.pushKeys())
  if (stored) return openPushKeys(sealer, stored)
  const record = await store.change(async tx => {
    const existing = await tx.pushKeys()
    if (existing) return existing
    await bindKey(tx, sealer)
    const { publicKey, privateKey } = makePair()
    const { bytes } = sealer.seal('push', privateKey)
    const keys = { public: publicKey, bytes, fingerprint: sealer.fingerprint }
    await tx.insertPushKeys(keys)
    return keys
  }, 'push keys')
  return openPushKeys(sealer, record)
}

function makePair(): PushKeys {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys().toString('base64url')
  const privateKey = Buffer.alloc(32)
  const bytes = pair.getPrivateKey()
  // Node leaves leading zeros out.
  bytes.copy(privateKey, 32 - bytes.length)
  return { publicKey, privateKey: privateKey.toString('base64url') }
}
