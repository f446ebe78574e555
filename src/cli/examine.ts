import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Hub } from '../core/hub.ts'
import type { Finding, Store } from '../store/store.ts'
import { agentContext } from './agent-context.ts'
import type { Context } from './context.ts'
import { watchWorks } from './watch-works.ts'
import { databaseFile, withHub } from './with-hub.ts'

/** Everything there is to say about this machine and its hub; a part that cannot be looked at is a finding, too. */
export async function examine(context: Context): Promise<Finding[]> {
  const findings = [examineNode(), examineAgent(context)]
  const file = await databaseFile(context)
  if (file === null) return [...findings, ...(await examineHub(context, null))]
  const folder = dirname(file)
  findings.push(examineRights('folder', folder), examineRights('database', file))
  // Looking must not make what is not there yet.
  if (!existsSync(file)) return findings
  return [...findings, ...(await examineHub(context, folder)), await examineWatch(folder)]
}

function examineNode(): Finding {
  return { what: 'node', finding: process.version, fine: true }
}

function examineAgent(context: Context): Finding {
  const { sign } = agentContext(context)
  const finding = sign ? `an agent's (${sign} is set): answering commands refuse to work here` : "a person's"
  return { what: 'shell', finding, fine: true }
}

/** Only their owner has any business there. */
function examineRights(what: string, path: string): Finding {
  try {
    const mode = statSync(path).mode & 0o777
    const open = process.platform !== 'win32' && (mode & 0o077) !== 0
    const advice = open ? `: others can read it; run chmod go= ${path}` : ''
    return { what: `${what} rights`, finding: `${path} ${mode.toString(8)}${advice}`, fine: !open }
  } catch {
    return { what: `${what} rights`, finding: `${path} is not there yet; the first ask makes it`, fine: true }
  }
}

async function examineHub(context: Context, folder: string | null): Promise<Finding[]> {
  try {
    return await withHub(
      context,
      async (hub, store) => [
        ...(await store.examine()),
        await examineKey(context, store, folder),
        await examinePending(hub),
      ],
      { sweeps: false },
    )
  } catch (error) {
    return [{ what: 'database', finding: messageOf(error), fine: false }]
  }
}

/** Whether the key is there and the right one; of the key itself nothing is said. */
async function examineKey({ env }: Context, store: Store, folder: string | null): Promise<Finding> {
  const what = 'sealing key'
  const { loadKey } = await import('../secrets/key.ts')
  const { createSealer } = await import('../secrets/seal.ts')
  const bound = await store.read(view => view.fingerprint())
  try {
    const { fingerprint } = createSealer(await loadKey({ home: folder, env, create: false }))
    if (bound === null) return { what, finding: 'there, and nothing is sealed with it at the moment', fine: true }
    return bound === fingerprint
      ? { what, finding: 'there, and the one that this database was sealed with', fine: true }
      : { what, finding: 'not the one that this database was sealed with: bring that one back', fine: false }
  } catch (error) {
    const neverNeeded = bound === null && error instanceof Error && 'code' in error && error.code === 'key_missing'
    if (neverNeeded && folder) return { what, finding: 'none yet; the first dependency makes it', fine: true }
    return { what, finding: messageOf(error), fine: neverNeeded }
  }
}

async function examinePending(hub: Hub): Promise<Finding> {
  let pending = 0
  for (let after: string | null = ''; after !== null; ) {
    const page = await hub.list({ limit: 1_000, ...(after ? { after } : {}) })
    pending += page.requests.length
    after = page.next
  }
  return { what: 'pending', finding: `${pending} requests wait for a person`, fine: true }
}

/** Without it everything works, only waking takes longer. */
async function examineWatch(folder: string): Promise<Finding> {
  const works = await watchWorks(folder)
  const finding = works ? 'works' : 'does not work on this file system: waiting processes look every 100 ms instead'
  return { what: 'file watching', finding, fine: true }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
