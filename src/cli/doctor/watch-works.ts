import { type FSWatcher, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const timeout = 1_000

/** Writes to a temporary file in the folder and waits for a watcher to notice. */
export async function watchWorks(folder: string): Promise<boolean> {
  let temporary: string | null = null
  let watcher: FSWatcher | null = null
  try {
    temporary = mkdtempSync(join(folder, 'doctor-'))
    const file = join(temporary, 'watched')
    writeFileSync(file, '')
    const { promise, resolve } = Promise.withResolvers<boolean>()
    watcher = watch(file, () => resolve(true))
    watcher.on('error', () => resolve(false))
    writeFileSync(file, '.')
    const timer = setTimeout(() => resolve(false), timeout)
    return await promise.finally(() => clearTimeout(timer))
  } catch {
    return false
  } finally {
    watcher?.close()
    if (temporary) rmSync(temporary, { recursive: true, force: true })
  }
}
