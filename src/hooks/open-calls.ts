import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { canonicalJson } from '../protocol/canonical-json.ts'
import { writeFileAtomically } from '../system/atomic-file.ts'
import { readOrNull } from '../system/machine-fault.ts'
import { identify, isSameProcess, type ProcessId } from '../system/processes/identity.ts'
import type { ToolCall } from '../tool-calls/tool-call.ts'

// What the hooks of a session have asked and not yet answered: a small file for each request. They tell the hook that
// runs after a call, without opening the hub, whether there is anything to withdraw; and they let the same call, made
// again after its hook had to leave, take up the request that it left open. Files hold hashes, not what was called.

export type Call = Pick<ToolCall, 'id' | 'tool' | 'input'>

/** One request that a hook raised. */
export interface OpenCall {
  readonly request: string
  /** The id that a yes is bound to. */
  readonly id: string
  readonly content: string
  /** The hook that waits for the answer; null once it has left with a ticket. */
  readonly waiter: (ProcessId & { readonly host: string }) | null
  /** The process of the host that was told to come back to it later; null where it was told no. */
  readonly deferredBy: string | null
}

export interface OpenCalls {
  /** Of this session, oldest first. */
  list(): OpenCall[]
  /** Those of killed hooks, of this and of other sessions, which may never start a hook again. */
  abandoned(): { readonly request: string; readonly isOwn: boolean; forget(): void }[]
  add(request: string, call: Call): void
  /** The hook leaves, and the request stays open for the same call again. */
  leave(request: string, call: Call): void
  /**
   * The hook leaves, and the host makes this very call again once its session continues. A process of the host does that for
   * one call only: returns the request of another one, or null.
   */
  defer(request: string, call: Call, host: string): string | null
  remove(request: string): void
}

export function openCallsOf(home: string, agent: string, session: string): OpenCalls {
  const all = join(home, 'hooks')
  const folder = sessionFolder(home, agent, session)
  return {
    list: () => callsIn(folder),
    abandoned() {
      const folders = existsSync(all) ? readdirSync(all).map(name => join(all, name)) : []
      return folders.flatMap(one =>
        callsIn(one)
          .filter(isAbandoned)
          .map(({ request }) => ({ request, isOwn: one === folder, forget: () => rmSync(fileOf(request, one)) })),
      )
    },
    add: (request, call) => write(request, call, { waiter: thisProcess(), deferredBy: null }),
    leave: (request, call) => write(request, call, { waiter: null, deferredBy: null }),
    defer(request, call, host) {
      const other = reserve(request, host)
      if (other === null) write(request, call, { waiter: null, deferredBy: host })
      return other
    },
    remove: request => rmSync(fileOf(request), { force: true }),
  }

  function write(request: string, call: Call, who: Pick<OpenCall, 'waiter' | 'deferredBy'>): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileAtomically(fileOf(request), JSON.stringify({ request, id: call.id, content: contentOf(call), ...who }))
  }

  /** One of several hooks at the same time creates the file. What it names may be decided since. */
  function reserve(request: string, host: string): string | null {
    const file = join(folder, `deferred-${hashOf([host])}`)
    try {
      writeFileSync(file, request, { flag: 'wx', mode: 0o600 })
      return null
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const other = readFileSync(file, 'utf8')
    if (other !== request && callsIn(folder).some(call => call.request === other)) return other
    writeFileAtomically(file, request)
    return null
  }

  function fileOf(request: string, where = folder): string {
    return join(where, `${request}.json`)
  }
}

/** Where the hooks of a session keep what they know. */
export function sessionFolder(home: string, agent: string, session: string): string {
  return join(home, 'hooks', hashOf([agent, session]))
}

function callsIn(folder: string): OpenCall[] {
  const names = readOrNull(() => readdirSync(folder)) ?? []
  return names
    .filter(name => /^req_\w+\.json$/.test(name))
    .toSorted()
    .flatMap(name => readOrNull(() => read(join(folder, name))) ?? [])
}

function thisProcess(): OpenCall['waiter'] {
  const id = identify(process.pid)
  return id && { ...id, host: hostname() }
}

/** The tool and its input, not the directory: a call may change it. Answers are no part of a question. */
export function contentOf({ tool, input }: Pick<ToolCall, 'tool' | 'input'>): string {
  if (tool !== 'AskUserQuestion' || input === null || typeof input !== 'object' || !('questions' in input)) {
    return hashOf([tool, canonicalJson(input)])
  }
  return hashOf([tool, canonicalJson(input.questions ?? null)])
}

/** Whether the hook that raised it was killed. A container that shares the folder has processes that we do not see. */
function isAbandoned({ waiter }: OpenCall): boolean {
  return waiter !== null && waiter.host === hostname() && !isSameProcess(waiter)
}

function read(file: string): OpenCall {
  return JSON.parse(readFileSync(file, 'utf8')) as OpenCall
}

export function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
}
