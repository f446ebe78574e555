import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes `npx beckon` in a clone start bin/beckon.js at once. npm links the programs of dependencies only, so npx would
 * install the clone into its cache and build it there again.
 */
export function linkPrograms(root: string): void {
  if (process.platform === 'win32') return
  const folder = join(root, 'node_modules', '.bin')
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: Record<string, string> }
  mkdirSync(folder, { recursive: true })
  for (const [name, file] of Object.entries(bin)) {
    link(`../../${file}`, join(folder, name))
  }
}

function link(target: string, path: string): void {
  try {
    if (readlinkSync(path) === target) return
  } catch {}
  rmSync(path, { force: true })
  symlinkSync(target, path)
}
