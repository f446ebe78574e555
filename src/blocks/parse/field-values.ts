import { parseDuration } from '../../protocol/duration.ts'
import type { Reading } from '../items.ts'
import { unquote } from './fields.ts'

// Values that are one word: what agents write differently every time is forgiven, what could be two things is not.

/** Missing means yes: it is better to wait for a person than to go on without one. */
export function readRequired(given: string | null): Reading<boolean> {
  const word = unquote(given ?? 'yes').toLowerCase()
  if (['yes', 'true', '1', 'y', 'on'].includes(word)) return { value: true }
  if (['no', 'false', '0', 'n', 'off'].includes(word)) return { value: false }
  return { problem: 'required: must be true or false' }
}

/** One of a list, in any case. */
export function readChoice<Word extends string>(
  field: string,
  given: string | null,
  words: readonly Word[],
): Reading<Word> {
  const list = words.join(', ')
  if (given === null) return { problem: `${field}: is missing; write one of: ${list}` }
  const word = unquote(given).toLowerCase()
  const known = words.find(candidate => candidate === word)
  return known === undefined ? { problem: `${field}: must be one of: ${list}` } : { value: known }
}

export function readText(field: string, given: string | null): Reading<string> {
  return given === null ? { problem: `${field}: is missing` } : { value: given }
}

/** Null for none at all; undefined where the block leaves it to the run. */
export function readTimeout(given: string | null): Reading<number | null | undefined> {
  if (given === null) return { value: undefined }
  const word = unquote(given).toLowerCase()
  if (word === 'none') return { value: null }
  const timeout = parseDuration(word)
  return timeout === null ? { problem: 'timeout: write 90s, 15m, 1h30m, 2d or none' } : { value: timeout }
}
