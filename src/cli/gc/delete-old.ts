import { hostname } from 'node:os'
import { collectGarbage, type Slice } from '../../store/collect-garbage.ts'
import type { Reclaimed, ReclaimOptions, Store } from '../../store/store.ts'
import { removeFolders } from '../../supervisor/folder.ts'
import { deleteSnapshots } from '../../supervisor/git/snapshot.ts'
import { harmless, harmlessTitle } from '../../text/harmless.ts'
import { deleteHookFiles } from './delete-hook-files.ts'

export interface Deleted {
  requests: number
  events: number
  runs: number
  checkpoints: number
}

interface DeleteOptions extends ReclaimOptions {
  store: Store
  home: string
  /** The least age, in milliseconds. */
  age: number
  onProgress?: (deleted: Deleted) => void
  warn: (text: string) => void
}

/** Deletes what is old from the database, then the files and snapshots of the same requests and runs, and gives the space back. */
export async function deleteOld(options: DeleteOptions): Promise<{ deleted: Deleted; space: Reclaimed }> {
  const { store, home, age, warn, onProgress, ...reclaiming } = options
  const before = (await store.read(view => view.now())) - age
  const deleted: Deleted = { requests: 0, events: 0, runs: 0, checkpoints: 0 }
  const warnOnce = onlyOnce(warn)
  await collectGarbage(store, { before, ...(options.signal ? { signal: options.signal } : {}), onSlice })
  if (!options.signal?.aborted) await deleteHookFiles(store, home, Date.now() - age)
  const space = options.signal?.aborted ? { freed: 0, reusable: null } : await reclaim(store, reclaiming, warn)
  return { deleted, space }

  async function onSlice(slice: Slice) {
    removeFolders(home, slice)
    await deleteFileSnapshots(slice.checkpoints, warnOnce)
    deleted.requests += slice.requests.length
    deleted.events += slice.events
    deleted.runs += slice.runs.length
    deleted.checkpoints += slice.checkpoints.length
    onProgress?.(deleted)
  }
}

/** What was deleted stays deleted, whether or not this works. */
async function reclaim(store: Store, options: ReclaimOptions, warn: DeleteOptions['warn']): Promise<Reclaimed> {
  try {
    return await store.reclaim(options)
  } catch (error) {
    warn(`The space was not given back: ${harmlessTitle(error instanceof Error ? error.message : String(error))}`)
    return { freed: 0, reusable: null }
  }
}

/** Snapshots are in the repositories, on the machine that took them. */
async function deleteFileSnapshots(checkpoints: Slice['checkpoints'], warn: DeleteOptions['warn']): Promise<void> {
  const taken = checkpoints.flatMap(({ run, host, snapshot }) => (snapshot ? [{ run, host, root: snapshot.root }] : []))
  const here = taken.filter(({ host }) => host === hostname())
  if (here.length < taken.length) warn('Snapshots on other machines stay in their repositories.')
  const snapshots = new Map(here.map(one => [JSON.stringify([one.root, one.run]), one]))
  for (const { root, run } of snapshots.values()) {
    await deleteSnapshots(root, run).catch(error => {
      warn(`Cannot delete the snapshots in ${harmless(root)}: ${harmlessTitle(String(error.message))}`)
    })
  }
}

function onlyOnce(warn: DeleteOptions['warn']): DeleteOptions['warn'] {
  const warned = new Set<string>()
  return text => {
    if (!warned.has(text)) warn(text)
    warned.add(text)
  }
}
