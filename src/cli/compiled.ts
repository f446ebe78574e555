import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'

// Node's compile cache keeps what is compiled when a file is loaded; the functions that run later are compiled at every
// start anew, and for a bundle of half a megabyte that is a third of the start. Here the cache is taken at the end of
// the first run, when V8 has compiled what such a run needs.

/** Loads a CommonJS bundle of ours with what an earlier run has compiled. Its exports. */
export function requireCompiled<Exports>(file: string, env: NodeJS.ProcessEnv): Exports {
  // The bundler leaves nothing but ASCII.
  const source = readFileSync(file, 'latin1')
  const kept = cacheFileOf(source, env)
  const cachedData = readCache(kept)
  const wrapped = `(function (exports, require, module) {${source}\n})`
  const script = new Script(wrapped, { filename: file, ...(cachedData ? { cachedData } : {}) })
  if (!cachedData || script.cachedDataRejected) {
    process.once('exit', () => writeCache(kept, script.createCachedData()))
  }
  const module = { exports: {} as Exports }
  script.runInThisContext()(module.exports, createRequire(file), module)
  return module.exports
}

/** By its content: V8 itself compares nothing but the length of the source. */
function cacheFileOf(source: string, env: NodeJS.ProcessEnv): string {
  const folder = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'beckon', 'compiled')
  return join(folder, `${process.version}-${process.arch}-${hash('sha1', source)}.bundle`)
}

const digestLength = 20

/** Null unless it is whole: V8 would believe a damaged one. */
function readCache(file: string): Buffer | null {
  try {
    const bytes = readFileSync(file)
    const data = bytes.subarray(digestLength)
    return hash('sha1', data, 'buffer').equals(bytes.subarray(0, digestLength)) ? data : null
  } catch {
    return null
  }
}

/** Without it only the next start is slower. */
function writeCache(file: string, data: Buffer): void {
  const draft = `${file}-${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, Buffer.concat([hash('sha1', data, 'buffer'), data]), { mode: 0o600 })
    renameSync(draft, file)
  } catch {}
}
