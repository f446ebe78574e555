import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { BeckonError } from '../protocol/errors.ts'

/** Seals values, each for the id of what it belongs to: a request, a kept value, a target. */
export interface Sealer {
  /** Identifies the key without revealing it. The store keeps it, to refuse the seals of another key. */
  readonly fingerprint: string
  seal(id: string, value: string): Sealed
  open(id: string, bytes: Buffer): string
  /** Signs what leaves the hub and comes back, so that nobody else can make it. */
  sign(purpose: string, value: string): Buffer
  /** Whether `mac` belongs to this value, so that a replay is recognized without opening anything. */
  matches(id: string, value: string, mac: Buffer): boolean
  /** A secret that belongs to this key and this owner, the same each time; it reveals nothing of the key or of others. */
  secretFor(owner: string): string
}

interface Sealed {
  bytes: Buffer
  mac: Buffer
}

// Sealed bytes: version (1) | first half of the fingerprint (8) | nonce (12) | AES-256-GCM ciphertext | tag (16).
// The bytes before the nonce and the id are authenticated too: a seal that was moved to another request is refused.
const version = 1
const nonceStart = 9
const textStart = nonceStart + 12
const tagLength = 16

export function createSealer(key: Buffer): Sealer {
  if (key.length !== 32) throw new BeckonError('invalid', 'A sealing key has 32 bytes.')
  const cipherKey = derive(key, 'seal', 32)
  const macKey = derive(key, 'mac', 32)
  const signKey = derive(key, 'sign', 32)
  const name = derive(key, 'fingerprint', 16)
  const secretKey = derive(key, 'callback', 32)
  const header = Buffer.concat([Buffer.of(version), name.subarray(0, 8)])

  return { fingerprint: name.toString('hex'), seal, open, sign, matches, secretFor }

  function seal(id: string, value: string): Sealed {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce, { authTagLength: tagLength })
    cipher.setAAD(bind(header, id))
    const text = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
    return { bytes: Buffer.concat([header, nonce, text, cipher.getAuthTag()]), mac: macOf(id, value) }
  }

  function open(id: string, bytes: Buffer): string {
    if (bytes.length < textStart + tagLength || bytes[0] !== version) throw damaged()
    if (!bytes.subarray(0, nonceStart).equals(header)) throw wrongKey()
    const nonce = bytes.subarray(nonceStart, textStart)
    const decipher = createDecipheriv('aes-256-gcm', cipherKey, nonce, { authTagLength: tagLength })
    decipher.setAAD(bind(header, id))
    decipher.setAuthTag(bytes.subarray(-tagLength))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(textStart, -tagLength)), decipher.final()]).toString('utf8')
    } catch {
      throw damaged()
    }
  }

  function sign(purpose: string, value: string): Buffer {
    return createHmac('sha256', signKey).update(bind(header, purpose)).update(value, 'utf8').digest()
  }

  function matches(id: string, value: string, mac: Buffer): boolean {
    const expected = macOf(id, value)
    return mac.length === expected.length && timingSafeEqual(mac, expected)
  }

  function secretFor(owner: string): string {
    return createHmac('sha256', secretKey).update(owner, 'utf8').digest('base64url')
  }

  function macOf(id: string, value: string): Buffer {
    return createHmac('sha256', macKey).update(bind(header, id)).update(value, 'utf8').digest()
  }
}

function derive(key: Buffer, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `beckon/${purpose}/v${version}`, length))
}

// The length comes first, so that no id and value together look like another id and value.
function bind(header: Buffer, id: string): Buffer {
  const bytes = Buffer.from(id, 'utf8')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([header, length, bytes])
}

function wrongKey(): BeckonError {
  return new BeckonError(
    'wrong_key',
    'This value was sealed with another key. Restore the key file or the BECKON_KEY that sealed it',
  )
}

function damaged(): BeckonError {
  return new BeckonError('damaged', 'The sealed value cannot be opened: it is damaged, or belongs to another request')
}
