import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { BeckonError } from '../protocol/errors.ts'
import type { WantedFile } from './change.ts'
import { resolveLinks } from './config-file.ts'
import type { SetupRecord } from './record.ts'

// The files of a project may come from somebody else: they must not lead setup to files that are not the project's.

/** Refuses links in a project that lead out of it. The person's own files, outside of it, may be links. */
export function refuseLinksOut(project: string, files: readonly WantedFile[]): void {
  for (const { path } of files) {
    const target = resolveLinks(path)
    if (!isWithin(path, project) || isWithin(target, realpathSync(project))) continue
    throw new BeckonError('not_allowed', `${path} leads out of the project, to ${target}. Nothing was changed.`)
  }
}

/** Whether a record that the project's own files led to is about nothing but the files of this setup. */
export function isOfProject({ files, previous }: SetupRecord, project: string, wanted: readonly WantedFile[]): boolean {
  const outside = wanted.filter(({ path }) => !isWithin(path, project)).map(({ path }) => resolveLinks(path))
  return [...files, ...previous].every(({ path, folders }) =>
    [path, ...folders].every(one => isWithin(resolveLinks(one), realpathSync(project)) || outside.includes(one)),
  )
}

function isWithin(path: string, folder: string): boolean {
  return !/^\.\.(\/|$)/.test(relative(folder, path))
}
