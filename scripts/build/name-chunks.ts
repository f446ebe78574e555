import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Metafile } from 'esbuild'

/** Names each shared file after what most of it is, such as `chunks/guard-2OZV7NEQ.js`: a stack trace then says something. */
export function nameChunks(dist: string, { outputs }: Metafile): void {
  const names = new Map<string, string>()
  for (const [path, { inputs }] of Object.entries(outputs)) {
    const hash = basename(path, '.js')
    if (path.endsWith('.js') && path.includes('/chunks/')) names.set(hash, `${largestPart(inputs)}-${hash}`)
  }
  const imports = new RegExp(`(chunks/|\\./)(${[...names.keys()].join('|')})(?=\\.js)`, 'g')
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter(name => /\.js(\.map)?$/.test(name)).map(name => join(dist, name))) {
    const text = readFileSync(file, 'utf8')
    const renamed = text.replace(imports, (_, folder, hash) => `${folder}${names.get(hash)}`)
    writeFileSync(
      file,
      renamed.replace(/(?<=^\/\/# sourceMappingURL=)\w+(?=\.js\.map)/m, hash => names.get(hash) ?? hash),
    )
    const [hash = ''] = basename(file).split('.')
    if (names.has(hash)) renameSync(file, file.replace(hash, `${names.get(hash)}`))
  }
}

/** The room of src/ or the package that most of its bytes come from. */
function largestPart(inputs: Metafile['outputs'][string]['inputs']): string {
  const sizes = new Map<string, number>()
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const part = /node_modules\/@?([^/]+)|^src\/([^/.]+)/.exec(path)?.slice(1).find(Boolean) ?? 'shared'
    sizes.set(part, (sizes.get(part) ?? 0) + bytesInOutput)
  }
  return [...sizes].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 'shared'
}
