import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** Only our types need zod, whose code is in the bundles; the native half of node-pty is found by its name at run time. */
const notImported = ['zod', '@lydell/node-pty']

/** Throws unless users install exactly what the built code loads. */
export function checkDependencies(root: string, bundles: readonly Metafile[]): void {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const loaded = new Set([...bundles.flatMap(packagesOf), ...notImported])
  for (const name of loaded) {
    if (!dependencies[name] && !peerDependencies[name])
      throw new Error(`The built code loads ${name}: add it to dependencies.`)
  }
  for (const name of Object.keys(dependencies)) {
    if (loaded.has(name)) continue
    throw new Error(`${name} is bundled: move it to devDependencies, and list it in scripts/bundled.ts.`)
  }
}

function packagesOf({ outputs }: Metafile): string[] {
  return Object.values(outputs)
    .flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path))
    .filter(path => !/^(node:|#)/.test(path) && !builtinModules.includes(path))
    .map(path => path.split('/', path.startsWith('@') ? 2 : 1).join('/'))
}
