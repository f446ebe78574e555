import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Hub } from '../../hub/hub.ts'
import type { Finding, Store } from '../../store/store.ts'
import { agentContext } from '../agent-context.ts'
import type { Context } from '../context.ts'
import { databaseFile, withHub, withStore } from '../with-hub.ts'
import { watchWorks } from './watch-works.ts'

/** Everything there is to say about this machine and its hub; a part that cannot be looked at is a finding, too. */
export async function examine(context: Context): Promise<Finding[]> {
  const findings = [examineNode(), examineAgent(context)]
  if (context.env.BECKON_URL) return [...findings, await examineServer(context, context.env.BECKON_URL)]
  const file = await databaseFile(context)
  if (file === null) return [...findings, ...(await examineHub(context, null))]
  const { homeOf } = await import('../../system/home.ts')
  const home = homeOf(context.env)
  const folder = dirname(file)
  findings.push(examineFolder(folder, home), examineFile(file))
  // Looking must not make what is not there yet.
  if (!existsSync(file)) return findings
  return [...findings, ...(await examineHub(context, home)), await examineWatch(folder)]
}

async function examineServer(context: Context, url: string): Promise<Finding> {
  const what = 'server'
  return withHub(context, async hub => {
    const { cursor } = await hub.list({ limit: 1 })
    return { what, finding: `${url} knows this token, and ${cursor} events`, fine: true }
  }).catch(error => ({ what, finding: messageOf(error), fine: false }))
}

function examineNode(): Finding {
  return { what: 'node', finding: process.version, fine: true }
}

function examineAgent(context: Context): Finding {
  const { marker } = agentContext(context)
  const finding = marker ? `an agent's (${marker} is set): answering commands refuse to work here` : "a person's"
  return { what: 'shell', finding, fine: true }
}

/** Only their owner has any business in our own folder; a folder of somebody else's is not ours to judge. */
function examineFolder(folder: string, home: string): Finding {
  const what = 'folder'
  const mode = modeOf(folder)
  if (mode === null) return examineMissing(what, folder)
  const open = folder === home && process.platform !== 'win32' && (mode & 0o077) !== 0
  const advice = open ? `: others can look into it; run chmod go= ${folder}` : ''
  return { what, finding: `${folder} ${mode.toString(8)}${advice}`, fine: !open }
}

function examineFile(file: string): Finding {
  const what = 'database file'
  const mode = modeOf(file)
  if (mode === null) return { what, finding: `${file} is not there yet; the first ask makes it`, fine: true }
  const open = process.platform !== 'win32' && statSync(file).isFile() && (mode & 0o077) !== 0
  const advice = open ? `: others can read it; run chmod go= ${file}` : ''
  return { what, finding: `${file} ${mode.toString(8)}${advice}`, fine: !open }
}

/** Whether the first ask will be able to make it. */
function examineMissing(what: string, folder: string): Finding {
  let above = dirname(folder)
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above)
  try {
    if (!statSync(above).isDirectory() || above.startsWith('/proc')) throw new Error('no place for a folder')
    accessSync(above, constants.W_OK)
    return { what, finding: `${folder} is not there yet; the first ask makes it`, fine: true }
  } catch {
    return { what, finding: `${folder} is not there, and cannot be made in ${above}`, fine: false }
  }
}

function modeOf(path: string): number | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? stat.mode & 0o777 : null
}

async function examineHub(context: Context, folder: string | null): Promise<Finding[]> {
  try {
    return await withStore(
      context,
      async (hub, store) => [
        ...(await store.examine()),
        await examineKey(context, store, folder),
        await examinePending(hub),
        await examineMessages(hub),
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
  const { loadKey } = await import('../../secrets/key.ts')
  const { createSealer } = await import('../../secrets/seal.ts')
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
    return { what, finding: `${messageOf(error)} Without it, nobody can ask for a secret.`, fine: false }
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

/** What nobody was told of is worth a look at the targets. */
async function examineMessages({ outbox, targets }: Hub): Promise<Finding> {
  const { length } = await targets.list()
  const { waiting, sent, given_up: givenUp } = await outbox.counts()
  const counts = `${waiting} messages wait, ${sent} were sent and ${givenUp} given up within a day`
  const advice = givenUp > 0 ? '; try the targets: beckon notify test NAME' : ''
  return { what: 'notifications', finding: `${length} targets: ${counts}${advice}`, fine: givenUp === 0 }
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
