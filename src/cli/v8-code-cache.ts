import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { whoCanWrite } from '../system/ownership.ts'

// Node's compile cache holds the code that V8 compiles while it loads a file. Functions that run later are compiled again
// at every start, which for a bundle of half a megabyte takes a third of the start. This cache is written at the end of
// the first run, when V8 has compiled everything that such a run needs.

/**
 * The exports of one of our bundles, which is a function of `exports, require, module`; see scripts/build.ts. V8 runs what
 * is in the cache unchecked, so a cache that other users can write to is not used.
 */
export function requireWithCodeCache<Exports>(file: string, env: NodeJS.ProcessEnv): Exports {
  const source = readFileSync(file)
  const cacheFile = cacheFileOf(source, env)
  const isPrivate = [dirname(cacheFile), dirname(dirname(cacheFile))].every(folder => whoCanWrite(folder) === null)
  const cachedData = isPrivate ? readCache(cacheFile) : null
  // The bundler writes ASCII only, which latin1 decodes fastest.
  const script = new Script(source.toString('latin1'), { filename: file, ...(cachedData ? { cachedData } : {}) })
  if (isPrivate && (!cachedData || script.cachedDataRejected)) {
    process.once('exit', () => writeCache(cacheFile, script.createCachedData()))
  }
  const module = { exports: {} as Exports }
  script.runInThisContext()(module.exports, createRequire(file), module)
  return module.exports
}

/** Named by content, because V8 only compares the length of the source, and by everything else that V8 requires to match. */
function cacheFileOf(source: Buffer, env: NodeJS.ProcessEnv): string {
  const folder = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'beckon', 'compiled')
  const flags = hash('sha1', JSON.stringify([process.execArgv, env.NODE_OPTIONS ?? '']))
  const name = [process.version, process.arch, flags.slice(0, 8), hash('sha1', source)].join('-')
  return join(folder, `${name}.bundle`)
}

const digestLength = 20

/** Null when it is damaged: V8 would not notice. */
function readCache(file: string): Buffer | null {
  try {
    const bytes = readFileSync(file)
    const data = bytes.subarray(digestLength)
    return hash('sha1', data, 'buffer').equals(bytes.subarray(0, digestLength)) ? data : null
  } catch {
    return null
  }
}

/** When this fails, the next start is slower and nothing else. */
function writeCache(file: string, data: Buffer): void {
  const draft = `${file}-${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, Buffer.concat([hash('sha1', data, 'buffer'), data]), { mode: 0o600 })
    renameSync(draft, file)
    deleteOld(dirname(file))
  } catch {}
}

const month = 30 * 24 * 3_600_000

/** Caches of earlier versions, once they are a month old. */
function deleteOld(folder: string): void {
  for (const name of readdirSync(folder).filter(name => name.includes('.bundle'))) {
    const file = join(folder, name)
    if (Date.now() - statSync(file).mtimeMs > month) rmSync(file, { force: true })
  }
}
