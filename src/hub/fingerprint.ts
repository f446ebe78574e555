import { hash } from 'node:crypto'

// Node's crypto takes longer to load than this takes for a few short texts, which is all that one command needs.
const mostBytes = 4_096
const mostCalls = 8

let calls = 0

/** The SHA-256 of a text, in base64url. */
export function fingerprint(text: string): string {
  calls += 1
  if (calls > mostCalls || text.length > mostBytes) return hash('sha256', text, 'base64url')
  return sha256(Buffer.from(text)).toString('base64url')
}

const words = 64
const blockBytes = 64

/** FIPS 180-4. */
function sha256(message: Buffer): Buffer {
  const state = Int32Array.from(initialState)
  const w = new Int32Array(words)
  const padded = pad(message)
  for (let at = 0; at < padded.length; at += blockBytes) {
    for (let i = 0; i < 16; i += 1) w[i] = padded.readInt32BE(at + i * 4)
    mixBlock(state, w)
  }
  const digest = Buffer.alloc(32)
  for (const [i, word] of state.entries()) digest.writeInt32BE(word, i * 4)
  return digest
}

/** A one bit, zeros, and the length in bits fill up the last block. */
function pad(message: Buffer): Buffer {
  const padded = Buffer.alloc(Math.ceil((message.length + 9) / blockBytes) * blockBytes)
  message.copy(padded)
  padded[message.length] = 0x80
  padded.writeUInt32BE(message.length * 8, padded.length - 4)
  return padded
}

function mixBlock(state: Int32Array, w: Int32Array): void {
  for (let i = 16; i < words; i += 1) {
    const x = w[i - 15] as number
    const y = w[i - 2] as number
    const small0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const small1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[i] = (w[i - 16] as number) + small0 + (w[i - 7] as number) + small1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < words; i += 1) {
    const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + big1 + ((e & f) ^ (~e & g)) + (roundConstants[i] as number) + (w[i] as number)) | 0
    const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + word
}

// The fractional parts of the square and cube roots of the first primes.
const initialState = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]
const roundConstants = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]
