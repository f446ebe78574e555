import { BeckonError } from '../protocol/errors.ts'

/** For a request that was settled, and deleted since. */
export function ignoreDeleted(error: unknown): void {
  nullIfDeleted(error)
}

export function nullIfDeleted(error: unknown): null {
  if (!(error instanceof BeckonError) || error.code !== 'not_found') throw error
  return null
}
