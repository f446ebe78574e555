import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A secret that is easy to find again, in whatever dress it comes. */
export interface Canary {
  value: string
  /** Where it sings: the disguises that were found in the text or bytes. */
  findIn(place: string | Buffer): string[]
}

export function createCanary(wrap: (core: string) => string = core => `sk+${core}/"&<=%\\`): Canary {
  const core = randomBytes(15).toString('hex')
  const disguises = disguisesOf(wrap(core), core)
  return { value: wrap(core), findIn }

  function findIn(place: string | Buffer): string[] {
    const bytes = typeof place === 'string' ? Buffer.from(place) : place
    return Object.entries(disguises).flatMap(([name, needle]) => (bytes.includes(needle) ? [name] : []))
  }
}

/** The core alone finds every form that keeps letters and digits: plain, in JSON, URL-encoded, within a longer text. */
function disguisesOf(value: string, core: string): Record<string, string | Buffer> {
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

/** The part of the base64 text that is the same whatever stands before and after; the core is 30 letters long. */
function base64At(core: string, offset: number): string {
  return Buffer.from(core.slice((3 - offset) % 3))
    .toString('base64')
    .slice(0, 32)
}

/** Every file below the folder, with all its bytes. */
export function filesBelow(folder: string): { file: string; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .map(file => ({ file, bytes: readFileSync(file) }))
}
