import type { Plugin } from 'esbuild'

/**
 * The JavaScript of better-sqlite3, a dozen files, is bundled; its native code is loaded from node_modules. The package
 * itself would first write a report about the whole process, to find out which C library it uses.
 */
export const bundledSqliteDriver: Plugin = {
  name: 'sqlite-driver',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^better-sqlite3$/ }, ({ kind, path }) =>
      kind === 'require-resolve' ? { path, external: true } : undefined,
    )
    onLoad({ filter: /better-sqlite3[\\/]lib[\\/]binding\.js$/ }, () => ({ contents: binding, loader: 'js' }))
  },
}

// Where musl's loader is, and where the file does not load, the package finds the right one.
const binding = `
const { existsSync } = require('node:fs')
const { dirname, join } = require('node:path')
let addon
exports.getBinding = () => (addon ??= load())

function load() {
  const lib = dirname(require.resolve('better-sqlite3'))
  try {
    if (!hasMusl()) return require(join(lib, '../prebuilds', process.platform + '-' + process.arch + '.node'))
  } catch {}
  return require(join(lib, 'binding.js')).getBinding()
}

function hasMusl() {
  return ['x86_64', 'aarch64'].some(arch => existsSync('/lib/ld-musl-' + arch + '.so.1'))
}
`
