import { BeckonError } from '../../protocol/index.ts'

/** The version of our schema: how many migrations there are. Here, so that a command need not load all of them. */
export const latest = 26

export function refuseNewer(version: number): void {
  if (version <= latest) return
  throw new BeckonError(
    'newer_schema',
    `A newer Beckon wrote this database (schema ${version}; this one knows ${latest}). Update Beckon and try again; nothing was changed.`,
  )
}
