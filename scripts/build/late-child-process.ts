import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

const imported = /^import childProcess from 'node:child_process';$/m
const late = `const childProcess = { spawn: (...args) => require('node:child_process').spawn(...args) };`

/** commander can start programs, which ours never does: it must not load what Node needs for that. */
export const lateChildProcess: Plugin = {
  name: 'late-child-process',
  setup({ onLoad }) {
    onLoad({ filter: /commander[\\/]lib[\\/]command\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      if (!imported.test(code)) throw new Error(`${path} does not import node:child_process as it did.`)
      return { contents: code.replace(imported, late), loader: 'js' }
    })
  },
}
