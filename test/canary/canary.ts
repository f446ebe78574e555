import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A secret that can be found again in every common encoding. */
export interface Canary {
  value: string
  /** The names of the encodings in which the text or bytes contain the secret. */
  findIn(text: string | Buffer): string[]
}

export function createCanary(wrap: (core: string) => string = core => `sk+${core}/"&<=%\\`): Canary {
  const core = randomBytes(15).toString('hex')
  const needles = needlesFor(wrap(core), core)
  return { value: wrap(core), findIn }

  function findIn(text: string | Buffer): string[] {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    return Object.entries(needles).flatMap(([name, needle]) => (bytes.includes(needle) ? [name] : []))
  }
}

/** The core alone finds every form that keeps letters and digits: plain, in JSON, URL-encoded, or in a longer text. */
function needlesFor(value: string, core: string): Record<string, string | Buffer> {
  const bytes = Buffer.from(core)
  return {
    plain: core,
    'its beginning': core.slice(0, 10),
    'its end': core.slice(-10),
    reversed: [...core].reverse().join(''),
    hex: bytes.toString('hex'),
    'upper-case hex': bytes.toString('hex').toUpperCase(),
    'UTF-16': Buffer.from(core, 'utf16le'),
    'URL-encoded': encodeURIComponent(value),
    base64: base64At(core, 0),
    'base64, one further': base64At(core, 1),
    'base64, two further': base64At(core, 2),
  }
}

/** The part of the base64 text that does not depend on the surrounding text; the core is 30 characters long. */
function base64At(core: string, offset: number): string {
  return Buffer.from(core.slice((3 - offset) % 3))
    .toString('base64')
    .slice(0, 32)
}

/**
 * Every file below the folder, with all its bytes. Another process reads them: closing a database file here would drop the
 * locks that this process has on it.
 */
export function filesBelow(folder: string): { file: string; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .map(file => ({ file, bytes: execFileSync('cat', [file], { maxBuffer: 2 ** 30 }) }))
}
