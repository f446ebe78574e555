import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { limits } from '../protocol/limits.ts'
import { textProblem } from '../protocol/text.ts'

const rootsTimeout = 1_000

/** Where a client works: in our own directory, unless it names roots and that is in none of them. */
export function createWorkingDirectory(own: string): (server: Server) => Promise<string> {
  const known = new WeakMap<Server, Promise<string>>()
  return server => {
    const before = known.get(server)
    if (before) return before
    server.setNotificationHandler(RootsListChangedNotificationSchema, () => void known.delete(server))
    const found = look(server).catch(() => own)
    known.set(server, found)
    return found
  }

  async function look(server: Server): Promise<string> {
    if (!server.getClientCapabilities()?.roots) return own
    const { roots } = await server.listRoots(undefined, { timeout: rootsTimeout })
    const folders = roots.flatMap(({ uri }) => folderOf(uri))
    return folders.some(folder => isWithin(own, folder)) ? own : (folders[0] ?? own)
  }
}

function folderOf(uri: string): string[] {
  try {
    const path = fileURLToPath(uri).replace(/(?<=.)\/$/, '')
    return textProblem(path, limits.path) === null ? [path] : []
  } catch {
    return []
  }
}

function isWithin(path: string, folder: string): boolean {
  return !/^\.\.(\/|$)/.test(relative(folder, path))
}
