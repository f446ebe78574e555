import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Hub } from '../../hub/hub.ts'
import { linkWarning } from '../../hub/link-warning.ts'
import type { Finding, Store } from '../../store/store.ts'
import { describeCarrier } from '../../system/agent-context.ts'
import { homePath } from '../../system/home.ts'
import { replaceableIn, whoCanWrite } from '../../system/ownership.ts'
import { agentContext } from '../agent-context.ts'
import type { Context } from '../context.ts'
import { errorMessage } from '../output/error-message.ts'
import { databaseFile, withHub, withStore } from '../with-hub.ts'
import { checkLimits, checkServerLimits } from './check-limits.ts'
import { watchWorks } from './watch-works.ts'

/** Checks this machine, its hub and the agents that ask it. A check that fails to run is a finding, too. */
export async function runChecks(context: Context): Promise<Finding[]> {
  const { checkAgents } = await import('./check-agents.ts')
  return [...(await checkMachine(context)), ...(await checkAgents(context))]
}

async function checkMachine(context: Context): Promise<Finding[]> {
  const findings = [checkNode(), checkAgent(context)]
  if (context.env.BECKON_URL) {
    return [...findings, await checkServer(context, context.env.BECKON_URL), ...(await checkServerLimits(context.env))]
  }
  findings.push(...(await checkLimits(context)))
  const file = await databaseFile(context)
  const home = homePath(context.env)
  const folder = file === null ? home : dirname(file)
  findings.push(checkFolder(folder, home))
  if (folder !== home) findings.push(...checkHome(home))
  if (file === null) return [...findings, await checkConnection(context), ...(await checkHub(context, null))]
  findings.push(checkFile(file))
  // A check must not create the database.
  if (!existsSync(file)) return findings
  return [...findings, ...(await checkHub(context, home)), await checkWatch(folder)]
}

async function checkServer(context: Context, url: string): Promise<Finding> {
  const what = 'server'
  return withHub(context, async hub => {
    const { cursor } = await hub.list({ limit: 1 })
    return { what, finding: `${url} accepts this token, and has ${cursor} events`, fine: true }
  }).catch(error => ({ what, finding: errorMessage(error), fine: false }))
}

function checkNode(): Finding {
  return { what: 'node', finding: process.version, fine: true }
}

function checkAgent(context: Context): Finding {
  const { carrier } = agentContext(context)
  const finding = carrier
    ? `an agent's (${describeCarrier(carrier)}): commands for people are refused here`
    : "a person's"
  return { what: 'shell', finding, fine: true }
}

/** Nobody but its owner may read our own folder. Another one may be read by others, but never written. */
function checkFolder(folder: string, home: string): Finding {
  const what = 'folder'
  const mode = modeOf(folder)
  const danger = dangerOf(folder)
  if (danger) return { what, finding: `${folder} ${danger}`, fine: false }
  if (mode === null) return checkMissing(what, folder)
  const open = folder === home && process.platform !== 'win32' && (mode & 0o077) !== 0
  const advice = open ? `: other users can read it; run chmod go= ${folder}` : ''
  return { what, finding: `${folder} ${mode.toString(8)}${advice}`, fine: !open }
}

/** How others could change what is in the folder, or put another in its place. */
function dangerOf(folder: string): string | null {
  const above = replaceableIn(folder)
  const replaceable =
    above && `can be replaced by other users, who can write to ${above}; move it, or run chmod +t ${above}`
  return whoCanWrite(folder) ?? replaceable
}

/** The home beside a database that is elsewhere: it has the key and the runs. */
function checkHome(home: string): Finding[] {
  const danger = dangerOf(home)
  return danger ? [{ what: 'home', finding: `${home} ${danger}`, fine: false }] : []
}

async function checkConnection({ env }: Context): Promise<Finding> {
  const what = 'connection'
  const { plaintextWarning } = await import('../../store/postgres/plaintext.ts')
  const warning = plaintextWarning(env.BECKON_DB ?? '')
  return { what, finding: warning ?? 'stays on this machine, or is encrypted', fine: warning === null }
}

function checkFile(file: string): Finding {
  const what = 'database file'
  const mode = modeOf(file)
  if (mode === null) return { what, finding: `${file} does not exist yet; the first request creates it`, fine: true }
  const open = process.platform !== 'win32' && statSync(file).isFile() && (mode & 0o077) !== 0
  const advice = open ? `: other users can read it; run chmod go= ${file}` : ''
  return { what, finding: `${file} ${mode.toString(8)}${advice}`, fine: !open }
}

/** Whether the first request will be able to create it. */
function checkMissing(what: string, folder: string): Finding {
  let above = dirname(folder)
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above)
  try {
    if (!statSync(above).isDirectory() || above.startsWith('/proc')) throw new Error('cannot contain a folder')
    accessSync(above, constants.W_OK)
    return { what, finding: `${folder} does not exist yet; the first request creates it`, fine: true }
  } catch {
    return { what, finding: `${folder} does not exist, and cannot be created in ${above}`, fine: false }
  }
}

function modeOf(path: string): number | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? stat.mode & 0o777 : null
}

async function checkHub(context: Context, folder: string | null): Promise<Finding[]> {
  try {
    return await withStore(
      context,
      async (hub, store) => [
        ...(await store.examine()),
        await checkWriting(store),
        await checkKey(context, store, folder),
        await checkPending(hub),
        ...(await checkMessages(hub)),
      ],
      { sweeps: false, warns: false },
    )
  } catch (error) {
    return [{ what: 'database', finding: errorMessage(error), fine: false }]
  }
}

async function checkWriting(store: Store): Promise<Finding> {
  const what = 'writing'
  return store.probe().then(
    () => ({ what, finding: 'works', fine: true }),
    error => ({ what, finding: errorMessage(error), fine: false }),
  )
}

/** Whether the key exists and matches the database. The finding never contains the key. */
async function checkKey({ env }: Context, store: Store, folder: string | null): Promise<Finding> {
  const what = 'sealing key'
  const { loadKey } = await import('../../secrets/key.ts')
  const { createSealer } = await import('../../secrets/seal.ts')
  const bound = await store.read(view => view.fingerprint())
  try {
    const { fingerprint } = createSealer(await loadKey({ home: folder, env, create: false }))
    if (bound === null) return { what, finding: 'exists; nothing is sealed with it now', fine: true }
    return bound === fingerprint
      ? { what, finding: 'exists, and matches this database', fine: true }
      : { what, finding: 'does not match this database: restore the key that sealed it', fine: false }
  } catch (error) {
    const neverNeeded = bound === null && error instanceof Error && 'code' in error && error.code === 'key_missing'
    if (neverNeeded && folder)
      return { what, finding: 'does not exist yet; the first dependency creates it', fine: true }
    return { what, finding: `${errorMessage(error)} Without it, agents cannot ask for secrets.`, fine: false }
  }
}

async function checkPending(hub: Hub): Promise<Finding> {
  const { waiting, snoozed } = (await hub.inbox({ limit: 1 })).counts
  return { what: 'pending', finding: `${waiting + snoozed} requests wait for a person`, fine: true }
}

/** Messages that were given up point to a target that does not work. */
async function checkMessages({ outbox, targets }: Hub): Promise<Finding[]> {
  const all = await targets.list()
  const { length } = all
  const inbox = await outbox.inbox()
  const warning = all.map(({ kind }) => linkWarning(kind, inbox)).find(found => found !== null)
  const { waiting, sent, given_up: givenUp } = await outbox.counts()
  const counts = `${waiting} messages wait, ${sent} were sent and ${givenUp} given up within a day`
  const advice = givenUp > 0 ? '; test the targets: beckon notify test NAME' : ''
  return [
    { what: 'notifications', finding: `${length} targets: ${counts}${advice}`, fine: givenUp === 0 },
    ...(warning ? [{ what: 'links', finding: warning, fine: true, warns: true }] : []),
  ]
}

/** Without it everything works, but waiting processes learn of answers later. */
async function checkWatch(folder: string): Promise<Finding> {
  const works = await watchWorks(folder)
  const finding = works ? 'works' : 'does not work on this file system: waiting processes poll every 100 ms instead'
  return { what: 'file watching', finding, fine: true }
}
