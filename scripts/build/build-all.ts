import { join } from 'node:path'
import { build as buildPage } from 'vite'
import { bundleCode } from './bundle.ts'
import { checkDependencies } from './check-dependencies.ts'
import { compressPage } from './compress-page.ts'
import { writeLicenses } from './licenses.ts'
import { writeHelp } from './write-help.ts'

/** Everything but the types. */
export async function buildAll(root: string, dist: string): Promise<void> {
  const bundles = await bundleCode(root, dist)
  checkDependencies(root, bundles)
  writeHelp(root, dist)
  writeLicenses(root, dist, bundles)
  await bundlePage(root, dist)
}

/** The inbox in the browser. */
async function bundlePage(root: string, dist: string): Promise<void> {
  const outDir = join(dist, 'web')
  await buildPage({ configFile: join(root, 'web', 'vite.config.ts'), build: { outDir }, logLevel: 'warn' })
  compressPage(outDir)
}
