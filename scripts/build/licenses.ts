import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** The licences of the packages in the bundles, which ask to be passed on with their code. */
export function writeLicenses(root: string, dist: string, bundles: readonly Metafile[]): void {
  const inputs = bundles.flatMap(({ outputs }) => Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)))
  const packages = new Set(inputs.flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))
  const texts = [...packages].sort().map(folder => licenseOf(join(root, folder)))
  writeFileSync(join(dist, 'licenses.txt'), `dist/ contains code of these packages.\n\n${texts.join('\n\n')}\n`)
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(file => /^licen[cs]e/i.test(file))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : ''
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${text}`.trim()
}
