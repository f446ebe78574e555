import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

// What the build reads. The lockfile stands for node_modules.
const folders = ['bin', 'src', 'web', 'scripts']
const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']

/** Lies in dist/, and goes with it. The package leaves it out. */
const stamp = '.inputs'

/** The same for two builds that would write the same. */
export function fingerprintInputs(root: string): string {
  const hash = createHash('sha256').update(process.version)
  const found = folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name)),
  )
  for (const path of [...found.sort(), ...files.map(file => join(root, file))]) {
    const content = readFileSync(path)
    hash.update(`${relative(root, path)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

export interface Built {
  inputs: string
  withTypes: boolean
}

/** What is in dist/; null where nothing is, or what an earlier version of the build wrote. */
export function readBuilt(dist: string): Built | null {
  try {
    return JSON.parse(readFileSync(join(dist, stamp), 'utf8'))
  } catch {
    return null
  }
}

export function noteBuilt(dist: string, built: Built): void {
  writeFileSync(join(dist, stamp), JSON.stringify(built))
}
