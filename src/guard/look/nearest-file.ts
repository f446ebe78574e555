import type { Analysis, Frame } from '../interpret/analysis.ts'
import { literal } from '../interpret/arguments.ts'
import type { LookedFile } from './looked-files.ts'
import { openFile } from './run-script.ts'

/** The first of these files, in a folder or in one above it within the workspace. */
export function nearestFile(
  folder: string,
  names: readonly string[],
  frame: Frame,
  analysis: Analysis,
): LookedFile | null {
  const { workspace } = analysis.context
  for (let at = folder; ; at = parentOf(at)) {
    const file = fileIn(at, names, frame, analysis)
    if (file || at === workspace || !at.startsWith(`${workspace}/`)) return file
  }
}

/** The first of these files in a folder. */
export function fileIn(folder: string, names: readonly string[], frame: Frame, analysis: Analysis): LookedFile | null {
  for (const name of names) {
    const path = name.startsWith('/') ? name : `${folder}/${name}`
    const file = openFile(path, literal(path, frame.span), frame, analysis)
    if (file) return file
  }
  return null
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}
