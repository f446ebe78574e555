import { type FSWatcher, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const patience = 1_000

/** Writes to a file of its own in the folder and looks whether a watcher is told. */
export async function watchWorks(folder: string): Promise<boolean> {
  let place: string | null = null
  let watcher: FSWatcher | null = null
  try {
    place = mkdtempSync(join(folder, 'doctor-'))
    const file = join(place, 'bell')
    writeFileSync(file, '')
    const { promise, resolve } = Promise.withResolvers<boolean>()
    watcher = watch(file, () => resolve(true))
    watcher.on('error', () => resolve(false))
    writeFileSync(file, '.')
    const timer = setTimeout(() => resolve(false), patience)
    return await promise.finally(() => clearTimeout(timer))
  } catch {
    return false
  } finally {
    watcher?.close()
    if (place) rmSync(place, { recursive: true, force: true })
  }
}
