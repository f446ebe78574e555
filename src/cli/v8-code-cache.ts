import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { whoCanWrite } from '../system/ownership.ts'
import { userHome } from '../system/user-home.ts'

// Node's compile cache holds the code that V8 compiles while it loads a file. Functions that run later are compiled again
// at every start, which for a bundle of half a megabyte takes a third of the start. This cache is written at the end of
// the first run with a database, when V8 has compiled everything that such a run needs. Hashes are not used here: to load Node's own takes
// as long as a fifth of the start.

interface Bundle {
  hasCreatedDatabase: () => boolean
}

/**
 * The exports of one of our bundles, which is a function of `exports, require, module`; see scripts/build.ts. V8 runs what
 * is in the cache unchecked, so a cache that other users can write to is not used. Each `use` of a bundle, such as a
 * command, has its own cache: V8 reads all of one.
 */
export function requireWithCodeCache<Exports>(file: string, env: NodeJS.ProcessEnv, use = ''): Exports {
  const cacheFile = cacheFileOf(file, env, use)
  const isPrivate =
    cacheFile !== null &&
    [dirname(cacheFile), dirname(dirname(cacheFile))].every(folder => whoCanWrite(folder) === null)
  const cachedData = isPrivate ? readCache(cacheFile) : null
  // The bundler writes ASCII only, which latin1 decodes fastest.
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, ...(cachedData ? { cachedData } : {}) })
  const module = { exports: {} as Exports & Partial<Bundle> }
  if (isPrivate && (!cachedData || script.cachedDataRejected)) {
    process.once('exit', () => {
      // That takes code that no later run needs, and V8 would read it at every start.
      if (!module.exports.hasCreatedDatabase?.()) writeCache(cacheFile, script.createCachedData())
    })
  }
  script.runInThisContext()(module.exports, createRequire(file), module)
  return module.exports
}

/**
 * Named by everything that V8 requires to match, and by which file it is, because of that V8 compares the length only. No
 * two files of one place ever have the same number and the same time of their last change; packages set other times.
 */
function cacheFileOf(file: string, env: NodeJS.ProcessEnv, use: string): string | null {
  const home = userHome()
  const caches = env.XDG_CACHE_HOME || (home === null ? null : join(home, '.cache'))
  if (caches === null) return null
  const { dev, ino, size, ctimeNs } = statSync(file, { bigint: true })
  const flags = [...process.execArgv, env.NODE_OPTIONS ?? ''].join(' ')
  // A name has at most 255 characters.
  const name = [process.version, process.arch, shortHash(flags), dev, ino, size, ctimeNs, use].join('-')
  return join(caches, 'beckon', 'compiled', `${name}.bundle`)
}

function shortHash(text: string): string {
  let sum = 0
  for (let i = 0; i < text.length; i += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0
  return (sum >>> 0).toString(16)
}

const mark = 'beckon-code-cache'
const headLength = mark.length + 8

/** What comes before and after the code: files that lost their end, or all they had, do not begin or do not end so. */
function headOf(data: Buffer): Buffer {
  return Buffer.from(`${mark}${data.length.toString(16).padStart(8, '0')}`)
}

/** Null when it is damaged: V8 would not notice. */
function readCache(file: string): Buffer | null {
  try {
    const bytes = readFileSync(file)
    const data = bytes.subarray(headLength, -headLength)
    const head = headOf(data)
    return head.equals(bytes.subarray(0, headLength)) && head.equals(bytes.subarray(-headLength)) ? data : null
  } catch {
    return null
  }
}

/** When this fails, the next start is slower and nothing else. */
function writeCache(file: string, data: Buffer): void {
  const draft = `${file}-${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const head = headOf(data)
    // On the disk before it has its name: a power cut must not leave holes in it.
    writeFileSync(draft, Buffer.concat([head, data, head]), { mode: 0o600, flush: true })
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
