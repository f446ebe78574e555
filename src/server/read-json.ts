import { attachmentLimits } from '../protocol/limits.ts'
import { HttpFault } from './errors.ts'

/** An ask may bring its files along, in base64. No other call takes more than the usual. */
export const attachedBytes = Math.ceil((attachmentLimits.total * 4) / 3) + 1024
const mostLevels = 32
// Fields and items: several times what the largest ask has, and quick to parse.
const mostParts = 100_000

/** Refuses a body by its announced length, before anything of it is read. */
export function refuseLength(length: string | undefined, most: number): void {
  if (length !== undefined && Number(length) > most) throw tooLarge(most)
}

/** Counts the bytes as they arrive: the length may not have been announced. */
export async function readBytes(chunks: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of atMost(chunks, most)) parts.push(chunk)
  return Buffer.concat(parts)
}

export async function* atMost(chunks: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > most) throw tooLarge(most)
    yield chunk
  }
}

/** Refuses an ask that is too large without the files that it brings along. */
export function refuseBesideFiles(ask: unknown, most: number): void {
  const rest = JSON.stringify({ ...(ask as object), attachments: [] })
  if (Buffer.byteLength(rest) > most) throw tooLarge(most)
}

/** A missing body is an empty document. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  refuseShape(text)
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpFault(400, 'invalid', 'The body is not JSON.')
  }
}

/** Checked before parsing: code that walks the document recurses once per level and allocates for each part. */
function refuseShape(text: string): void {
  let depth = 0
  let parts = 0
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i)
    if (char === quote) i = endOfString(text, i)
    else if (char === openBracket || char === openBrace) depth += 1
    else if (char === closeBracket || char === closeBrace) depth -= 1
    else if (char === comma) parts += 1
    if (depth > mostLevels)
      throw new HttpFault(413, 'too_large', `The body has more than ${mostLevels} levels of nesting.`)
    if (parts > mostParts)
      throw new HttpFault(413, 'too_large', `The body has more than ${mostParts} fields and items.`)
  }
}

function endOfString(text: string, start: number): number {
  for (let i = text.indexOf('"', start + 1); i >= 0; i = text.indexOf('"', i + 1)) {
    let slashes = 0
    while (text.charCodeAt(i - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return i
  }
  return text.length
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

function tooLarge(most: number): HttpFault {
  return new HttpFault(413, 'too_large', `The body is larger than ${most} bytes.`)
}
