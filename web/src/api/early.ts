import { base } from '../base.ts'
import { noteServerTime } from '../server-time.ts'
import { pageHeader } from './page-secret.ts'

/** After the page takes its first answer, the others are of use for a moment only. */
const usableFor = 5_000

const early = new Map<string, Promise<Response>>()
let firstTaken: number | null = null

/** Asks before the page itself is there. */
export function askEarly(path: string): void {
  const response = fetch(base + path, readOptions())
  // Now, because the answer may wait for the page: then its date would be old.
  response.then(
    ({ headers }) => noteServerTime(headers.get('date')),
    () => {},
  )
  early.set(path, response)
}

/** The answer that is on its way already, once. */
export function takeEarly(path: string): Promise<Response> | undefined {
  firstTaken ??= performance.now()
  if (performance.now() - firstTaken > usableFor) early.clear()
  const response = early.get(path)
  early.delete(path)
  return response
}

export function readOptions(): RequestInit {
  return { headers: { ...pageHeader(), accept: 'application/json' }, credentials: 'same-origin' }
}
