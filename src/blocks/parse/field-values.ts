import { parseDuration } from '../../protocol/duration.ts'
import type { Parsed } from '../items.ts'
import { unquote } from './fields.ts'

// Accepts the spellings that agents use, and refuses what could mean two things.

/** Defaults to true: waiting for a person is better than continuing without one. */
export function parseRequired(given: string | null): Parsed<boolean> {
  const word = unquote(given ?? 'yes').toLowerCase()
  if (['yes', 'true', '1', 'y', 'on'].includes(word)) return { value: true }
  if (['no', 'false', '0', 'n', 'off'].includes(word)) return { value: false }
  return { problem: 'required: must be true or false' }
}

/** One of the given words, in upper or lower case. */
export function parseChoice<Word extends string>(
  field: string,
  given: string | null,
  words: readonly Word[],
): Parsed<Word> {
  const list = words.join(', ')
  if (given === null) return { problem: `${field}: is missing; write one of: ${list}` }
  const word = unquote(given).toLowerCase()
  const known = words.find(candidate => candidate === word)
  return known === undefined ? { problem: `${field}: must be one of: ${list}` } : { value: known }
}

export function parseText(field: string, given: string | null): Parsed<string> {
  return given === null ? { problem: `${field}: is missing` } : { value: given }
}

/** Null for `none`; undefined if the block leaves it to the run. */
export function parseTimeout(given: string | null): Parsed<number | null | undefined> {
  if (given === null) return { value: undefined }
  const word = unquote(given).toLowerCase()
  if (word === 'none') return { value: null }
  const timeout = parseDuration(word)
  return timeout === null ? { problem: 'timeout: write 90s, 15m, 1h30m, 2d or none' } : { value: timeout }
}
