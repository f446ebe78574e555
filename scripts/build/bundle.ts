import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { lazyModules, sharedHelpers } from './lazy-modules.ts'
import { nameChunks } from './name-chunks.ts'
import { keepOwnSources } from './source-maps.ts'

/** What is loaded from node_modules: native code, the user's own frameworks, and pg. */
const external = ['better-sqlite3', 'pg']

/**
 * Only few commands need these, and they are large or CommonJS: each is a file of its own, which the other bundles load as
 * `#dist/…`, by the `imports` of package.json.
 */
const apart = ['src/agent/mcp/sdk.ts', 'src/agent/model/sdk.ts', 'src/notify/web-push.ts']

/** Dependencies in plain JavaScript are bundled, so that a command starts from a few files instead of hundreds. */
export async function bundleCode(root: string, dist: string): Promise<Metafile[]> {
  const options = {
    absWorkingDir: root,
    outbase: 'src',
    outdir: dist,
    bundle: true,
    platform: 'node',
    target: 'node22',
    external,
    // Its main file requires parts of itself in a way that cannot be bundled.
    alias: { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') },
    loader: { '.md': 'text' },
    plugins: [loadedApart(root)],
    metafile: true,
    logLevel: 'warning',
  } satisfies BuildOptions
  const results = [await bundleLibrary(options, root, dist), ...(await bundlePrograms(options))]
  escapeRegularExpressions(join(dist, 'cli'))
  return results
}

/** What programs import, to be read and debugged by the people who do. */
async function bundleLibrary(options: BuildOptions, root: string, dist: string): Promise<Metafile> {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entries = Object.values<{ default?: string }>(exports).flatMap(entry => entry.default ?? [])
  const { metafile } = await build({
    ...options,
    entryPoints: [...entries.map(sourceOf), 'src/agent/tools/search/main.ts', 'src/supervisor/holder/main.ts'],
    // The framework that an adapter is for is there already.
    external: [...external, 'ai'],
    chunkNames: 'chunks/[hash]',
    splitting: true,
    format: 'esm',
    metafile: true,
    sourcemap: 'linked',
  })
  nameChunks(dist, metafile)
  keepOwnSources(dist)
  return metafile
}

function sourceOf(entry: string): string {
  return entry.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
}

/**
 * What agents start again and again, as CommonJS: a small file for every call, and one for good calls with all that they
 * may need. What is imported later is in it, too, and waits there.
 */
async function bundlePrograms(
  options: BuildOptions & { absWorkingDir: string; plugins: Plugin[] },
): Promise<Metafile[]> {
  const commonJs = {
    ...options,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    supported: { 'dynamic-import': false },
    // src/system/programs.ts knows what to do without.
    logOverride: { 'empty-import-meta': 'silent' },
    minify: true,
    metafile: true,
  } as const
  const starts = ['src/cli/ask-user-question.ts', 'src/cli/hook/start.ts', 'src/cli/start.ts']
  const bundles = ['src/cli/ask-user-question/execute-call.ts', 'src/cli/hook/run-hook.ts', 'src/cli/main.ts']
  // The form in which src/cli/v8-code-cache.ts runs it.
  const wrapper = { banner: { js: `(function (exports, require, module) {${sharedHelpers}` }, footer: { js: '})' } }
  const lazy = await lazyModules(commonJs)
  const built = [
    await build({ ...commonJs, entryPoints: starts }),
    await build({ ...commonJs, entryPoints: bundles, ...wrapper, plugins: [...options.plugins, lazy.plugin] }),
    await build({ ...commonJs, entryPoints: apart, plugins: [] }),
  ]
  return [...built.map(({ metafile }) => metafile), ...lazy.metafiles]
}

function loadedApart(root: string): Plugin {
  return {
    name: 'loaded-apart',
    setup({ onResolve }) {
      onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir }) => {
        const source = relative(root, join(resolveDir, path))
        if (!apart.includes(source)) return undefined
        return { path: source.replace(/^src\//, '#dist/').replace(/\.ts$/, '.cjs'), external: true }
      })
    },
  }
}

/** esbuild writes ASCII, except in regular expressions; src/cli/v8-code-cache.ts would read other bytes as Latin-1. */
function escapeRegularExpressions(folder: string): void {
  const toEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.cjs')) continue
    const file = join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/[^\0-\x7f]/g, toEscape))
  }
}
