import { t, told } from './words.ts'

/** What went wrong, in the reader's language as far as it is known there. */
export function troubleIn(error: unknown): string {
  return error instanceof Error && error.message !== '' ? told(error.message) : t('Something went wrong.')
}
