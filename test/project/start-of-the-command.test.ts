import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

it('the command line loads neither the guard nor a store before a command needs them', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    splitting: true,
    outdir: 'unused',
    packages: 'external',
    loader: { '.md': 'text' },
  })
  const loaded = new Set<string>()
  const load = (file: string) => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const { path, kind } of metafile.inputs[file]?.imports ?? []) if (kind === 'import-statement') load(path)
  }
  load('src/cli/main.ts')
  expect(loaded.size).toBeGreaterThan(50)
  const heavy = [...loaded].filter(file => /^src\/(store|guard\/(rules|languages|shell))\//.test(file))
  // It only says whether the process has created a database.
  expect(heavy).toEqual(['src/store/sqlite/created.ts'])
})
