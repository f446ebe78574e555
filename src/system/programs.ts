import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A program of this package in `bin/`, from wherever in it this code runs. */
export function programFile(name: string): string {
  for (let folder = here(); ; folder = dirname(folder)) {
    const file = join(folder, 'bin', name)
    if (existsSync(file) || folder === dirname(folder)) return file
  }
}

/** Where it was bundled as CommonJS, a file does not know its own place; the program that was started does. */
function here(): string {
  return import.meta.dirname ?? dirname(realpathSync(process.argv[1] ?? '.'))
}

/** The program of a run's holder, built beside the others. */
export function holderFile(): string {
  return join(dirname(dirname(programFile('beckon.js'))), 'dist', 'supervisor', 'holder', 'main.js')
}
