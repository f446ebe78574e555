import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The path of one of this package's programs in `bin/`, wherever in the package this code runs. */
export function programFile(name: string): string {
  for (let folder = here(); ; folder = dirname(folder)) {
    const file = join(folder, 'bin', name)
    if (existsSync(file) || folder === dirname(folder)) return file
  }
}

/** Code bundled as CommonJS does not know its own path, but the program that was started does. */
function here(): string {
  return import.meta.dirname ?? dirname(realpathSync(process.argv[1] ?? '.'))
}

/** The program of a run's holder, built with the others. */
export function holderFile(): string {
  return distFile('supervisor', 'holder', 'main.js')
}

/** A file or folder that the build makes. */
export function distFile(...path: string[]): string {
  return join(dirname(dirname(programFile('beckon.js'))), 'dist', ...path)
}
