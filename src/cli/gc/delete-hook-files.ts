import { readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Store, View } from '../../store/store.ts'
import { readOrNull } from '../../system/machine-fault.ts'

/** Deletes what hooks have kept of sessions before this time, unless the hub still knows the request or run that it names. */
export async function deleteHookFiles(store: Store, home: string, before: number): Promise<void> {
  const folder = join(home, 'hooks')
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    for (const file of namesIn(path)) await deleteFile(join(path, file), /^req_\w+/.exec(file)?.[0])
    if (statOf(path)?.isDirectory()) deleteIfEmpty(path)
    else await deleteFile(path, name.startsWith('run-') ? contentOf(path) : undefined)
  }

  async function deleteFile(file: string, names: string | undefined): Promise<void> {
    if (!isOld(file)) return
    const isKnown = names !== undefined && (await store.read(view => knows(view, names)))
    if (!isKnown) rmSync(file, { force: true })
  }

  /** A hook may be about to write into it: then it is young. */
  function deleteIfEmpty(path: string): void {
    if (isOld(path) && namesIn(path).length === 0) readOrNull(() => rmdirSync(path))
  }

  function isOld(path: string): boolean {
    return (statOf(path)?.mtimeMs ?? before) < before
  }
}

async function knows(view: View, id: string): Promise<boolean> {
  return (await (id.startsWith('req_') ? view.request(id) : view.run(id))) !== null
}

function namesIn(folder: string): string[] {
  return readOrNull(() => readdirSync(folder)) ?? []
}

function statOf(path: string) {
  return statSync(path, { throwIfNoEntry: false })
}

function contentOf(file: string): string | undefined {
  return readOrNull(() => readFileSync(file, 'utf8')) ?? undefined
}
