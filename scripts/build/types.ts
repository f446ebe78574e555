import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The types of what package.json exports. `npm run check` finds what is wrong with them; here they are only written. False
 * when that fails; tsc has said why.
 */
export async function declareTypes(root: string, dist: string): Promise<boolean> {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', dist]
  const child = spawn(process.execPath, [tsc, ...args], { cwd: root, stdio: 'inherit' })
  const [status] = await once(child, 'exit')
  if (status === 0) removeUnreachable(root, dist)
  return status === 0
}

/** tsc declares every file of src/, ten times what a program can import. */
function removeUnreachable(root: string, dist: string): void {
  const reached = new Set<string>()
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const { types } of Object.values<{ types?: string }>(exports)) {
    if (types) reach(join(dist, types.replace('./dist/', '')), reached)
  }
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const file = join(dist, name)
    if (name.endsWith('.d.ts') && !reached.has(file)) rmSync(file)
  }
}

const imported = /(?:\bfrom|\bimport|\bimport\()\s*['"](\.[^'"]+)['"]/g

function reach(file: string, reached: Set<string>): void {
  if (reached.has(file)) return
  reached.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(imported)) {
    reach(join(dirname(file), path.replace(/\.[jt]s$/, '.d.ts')), reached)
  }
}
