import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Leaves our own sources in the source maps, so that a debugger shows them; those of packages would be most of the size. */
export function keepOwnSources(dist: string): void {
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js.map')) continue
    const file = join(dist, name)
    const map: { sources: string[]; sourcesContent: (string | null)[] } = JSON.parse(readFileSync(file, 'utf8'))
    map.sourcesContent = map.sourcesContent.map((text, at) =>
      map.sources[at]?.includes('node_modules/') ? null : text,
    )
    writeFileSync(file, JSON.stringify(map))
  }
}
