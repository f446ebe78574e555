import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { BeckonError } from '../protocol/errors.ts'

export interface Sealer {
  /** Names the key without telling it. The store keeps it, to refuse another key's seals. */
  readonly fingerprint: string
  seal(requestId: string, value: string): Sealed
  open(requestId: string, bytes: Buffer): string
  /** Whether `mac` was made of this very value, so that a replay is known without opening anything. */
  matches(requestId: string, value: string, mac: Buffer): boolean
}

interface Sealed {
  bytes: Buffer
  mac: Buffer
}

// Sealed bytes: version (1) | first half of the fingerprint (8) | nonce (12) | AES-256-GCM ciphertext | tag (16).
// What comes before the nonce and the request's id are authenticated too: a seal moved to another request is refused.
const version = 1
const nonceStart = 9
const textStart = nonceStart + 12
const tagLength = 16

export function createSealer(key: Buffer): Sealer {
  if (key.length !== 32) throw new BeckonError('invalid', 'a sealing key has 32 bytes')
  const cipherKey = derive(key, 'seal', 32)
  const macKey = derive(key, 'mac', 32)
  const name = derive(key, 'fingerprint', 16)
  const header = Buffer.concat([Buffer.of(version), name.subarray(0, 8)])

  return { fingerprint: name.toString('hex'), seal, open, matches }

  function seal(requestId: string, value: string): Sealed {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce, { authTagLength: tagLength })
    cipher.setAAD(bind(header, requestId))
    const text = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
    return { bytes: Buffer.concat([header, nonce, text, cipher.getAuthTag()]), mac: macOf(requestId, value) }
  }

  function open(requestId: string, bytes: Buffer): string {
    if (bytes.length < textStart + tagLength || bytes[0] !== version) throw damaged()
    if (!bytes.subarray(0, nonceStart).equals(header)) throw wrongKey()
    const nonce = bytes.subarray(nonceStart, textStart)
    const decipher = createDecipheriv('aes-256-gcm', cipherKey, nonce, { authTagLength: tagLength })
    decipher.setAAD(bind(header, requestId))
    decipher.setAuthTag(bytes.subarray(-tagLength))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(textStart, -tagLength)), decipher.final()]).toString('utf8')
    } catch {
      throw damaged()
    }
  }

  function matches(requestId: string, value: string, mac: Buffer): boolean {
    const expected = macOf(requestId, value)
    return mac.length === expected.length && timingSafeEqual(mac, expected)
  }

  function macOf(requestId: string, value: string): Buffer {
    return createHmac('sha256', macKey).update(bind(header, requestId)).update(value, 'utf8').digest()
  }
}

function derive(key: Buffer, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `beckon/${purpose}/v${version}`, length))
}

// With its length in front, so that no id and value run together into another id and value.
function bind(header: Buffer, requestId: string): Buffer {
  const id = Buffer.from(requestId, 'utf8')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(id.length)
  return Buffer.concat([header, length, id])
}

function wrongKey(): BeckonError {
  return new BeckonError(
    'wrong_key',
    'This value was sealed with another key: bring back the key file, or the BECKON_KEY, that sealed it',
  )
}

function damaged(): BeckonError {
  return new BeckonError('damaged', 'The sealed value cannot be read back: it is damaged, or not of this request')
}
