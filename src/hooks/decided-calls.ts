import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../system/atomic-file.ts'
import { readOrNull } from '../system/machine-fault.ts'
import { type Call, contentOf, hashOf, sessionFolder } from './open-calls.ts'

// A host may start several hooks for one call, as Claude does where the plugin and setup are both installed. One of them may
// start only after a person has answered another: a small file names the request whose answer is for both.

export interface DecidedCalls {
  /** The request that another hook of this caller has the answer to, for this very call; null where there is none. */
  find(call: Call, caller: string): string | null
  /** Before the answer is taken. */
  add(request: string, call: Call, caller: string): void
  /** The call has run: none of its hooks can come any more. */
  forget(id: string): void
}

interface Decided {
  readonly request: string
  readonly caller: string
  readonly content: string
}

/** No host starts a hook of a call later than this after another one has its answer. */
const latest = 10 * 60_000

/** Those of calls that never ran are deleted by `beckon gc`. */
export function decidedCallsOf(home: string, agent: string, session: string): DecidedCalls {
  const folder = sessionFolder(home, agent, session)
  return {
    find(call, caller) {
      const found = readOrNull(() => readYoung(fileOf(call.id)))
      return found?.caller === caller && found.content === contentOf(call) ? found.request : null
    },
    add(request, call, caller) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const decided: Decided = { request, caller, content: contentOf(call) }
      writeFileAtomically(fileOf(call.id), JSON.stringify(decided))
    },
    forget: id => rmSync(fileOf(id), { force: true }),
  }

  function fileOf(id: string): string {
    return join(folder, `decided-${hashOf([id])}`)
  }
}

function readYoung(file: string): Decided | null {
  const isOld = Date.now() - statSync(file).mtimeMs > latest
  return isOld ? null : (JSON.parse(readFileSync(file, 'utf8')) as Decided)
}
