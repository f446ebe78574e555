import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

it('docs/architecture.md names only files and folders that exist', () => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const named = [...text.matchAll(/`([\w./-]+(?:\.[jt]s|\/))`/g)].map(([, path = '']) => path)
  const known = ['src', 'bin', 'plugins', 'scripts', 'web'].flatMap(folder => pathsIn(folder))
  expect(named.length).toBeGreaterThan(80)
  expect(named.filter(path => !known.some(file => `/${file}`.endsWith(`/${path}`)))).toEqual([])
})

/** Folders end in a slash. */
function pathsIn(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  return [
    `${folder}/`,
    ...entries.flatMap(entry =>
      entry.isDirectory() ? pathsIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
    ),
  ]
}
