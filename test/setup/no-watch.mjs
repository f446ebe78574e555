import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// A preload that makes fs.watch fail, as on file systems without change events; child processes inherit it:
//   node --import ./test/setup/no-watch.mjs …
const flag = `--import=${import.meta.url}`
const inherited = process.env.NODE_OPTIONS ?? ''
if (!inherited.includes(flag)) process.env.NODE_OPTIONS = `${inherited} ${flag}`.trim()

fs.watch = fail
fs.promises.watch = fail
syncBuiltinESMExports()

function fail(path) {
  throw Object.assign(new Error(`ENOSYS: function not implemented, watch '${path}'`), {
    code: 'ENOSYS',
    syscall: 'watch',
    path: String(path),
  })
}
