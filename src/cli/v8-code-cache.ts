import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'

// Node's compile cache keeps what is compiled when a file is loaded; the functions that run later are compiled at every
// start anew, and for a bundle of half a megabyte that is a third of the start. Here the cache is taken at the end of
// the first run, when V8 has compiled what such a run needs.

/** The exports of a bundle of ours, which is one function of `exports, require, module`; see scripts/build.ts. */
export function requireCompiled<Exports>(file: string, env: NodeJS.ProcessEnv): Exports {
  const source = readFileSync(file)
  const kept = cacheFileOf(source, env)
  const cachedData = readCache(kept)
  // The bundler leaves nothing but ASCII, which needs no decoding.
  const script = new Script(source.toString('latin1'), { filename: file, ...(cachedData ? { cachedData } : {}) })
  if (!cachedData || script.cachedDataRejected) {
    process.once('exit', () => writeCache(kept, script.createCachedData()))
  }
  const module = { exports: {} as Exports }
  script.runInThisContext()(module.exports, createRequire(file), module)
  return module.exports
}

/** By content, since V8 compares nothing but the length of the source; and by what V8 wants to be the same. */
function cacheFileOf(source: Buffer, env: NodeJS.ProcessEnv): string {
  const folder = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'beckon', 'compiled')
  const flags = hash('sha1', JSON.stringify([process.execArgv, env.NODE_OPTIONS ?? '']))
  const name = [process.version, process.arch, flags.slice(0, 8), hash('sha1', source)].join('-')
  return join(folder, `${name}.bundle`)
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
    forgetOld(dirname(file))
  } catch {}
}

const month = 30 * 24 * 3_600_000

/** Those of earlier versions, once nobody has made one for a month. */
function forgetOld(folder: string): void {
  for (const name of readdirSync(folder).filter(name => name.includes('.bundle'))) {
    const file = join(folder, name)
    if (Date.now() - statSync(file).mtimeMs > month) rmSync(file, { force: true })
  }
}
