import { createECDH } from 'node:crypto'
import type { Store } from '../store/store.ts'
import { bindKey, openPushKeys, type PushKeys, type Sealing } from './sealing.ts'

/** The pair of this hub, made when it is first needed: browsers subscribe to it, so all nodes must have the same. */
export async function pushKeysOf(store: Store, sealing: Sealing): Promise<PushKeys> {
  const sealer = await store.read(view => sealing.sealer(view))
  const stored = await store.read(view => view.pushKeys())
  if (stored) return openPushKeys(sealer, stored)
  const record = await store.change(async tx => {
    const before = await tx.pushKeys()
    if (before) return before
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
  // Leading zeros are not written out.
  bytes.copy(privateKey, 32 - bytes.length)
  return { publicKey, privateKey: privateKey.toString('base64url') }
}
