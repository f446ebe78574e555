import type { Agent, InstalledHook, Place } from '../../setup/agents/agent.ts'
import { agents } from '../../setup/agents/index.ts'
import { findProgram } from '../../setup/find-agent.ts'
import { listCodexHooks } from '../../setup/probe/codex-trust.ts'
import { probeHook } from '../../setup/probe/probe-hook.ts'
import { probeServer } from '../../setup/probe/probe-server.ts'
import { listRecords } from '../../setup/record.ts'
import type { Finding } from '../../store/store.ts'
import { homePath } from '../../system/home.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { describeHub } from '../mcp/hub.ts'
import { errorMessage } from '../output/error-message.ts'
import { projectOf } from '../setup/set-up.ts'

/** Whether the connected agents would reach this very hub: starts what each of them would start. */
export async function checkAgents(context: Context): Promise<Finding[]> {
  const hub = harmlessTitle(describeHub(context))
  const findings = await Promise.all(
    agents.flatMap(agent => placesOf(context, agent).map(place => checkAgent(context, agent, place, hub))),
  )
  return findings.flat()
}

/** The user's configuration, that of the project here, and those that setup wrote. */
function placesOf({ env, cwd }: Context, { name }: Agent): Place[] {
  const recorded = recordsIn(homePath(env)).filter(({ agent }) => agent === name)
  const projects = new Set([null, projectOf(cwd), ...recorded.map(({ project }) => project)])
  return Array.from(projects, project => ({ env, project }))
}

function recordsIn(home: string) {
  try {
    return listRecords(home)
  } catch {
    return []
  }
}

async function checkAgent(context: Context, agent: Agent, place: Place, hub: string): Promise<Finding[]> {
  const program = findProgram(agent.name, context.env)
  const server = await agent.server(place, program === null ? null : { program, version: null })
  const hooks = agent.hooks(place)
  if (server === null && hooks.length === 0) return []
  const cwd = place.project ?? context.cwd
  const where = place.project === null ? '' : ` in ${place.project}`
  const findings: Promise<Finding>[] = []
  if (program === null) findings.push(found(agent, false, `is connected${where}, and not on PATH`))
  if (server)
    findings.push(check(agent, `MCP server${where}`, async () => compare(await probeServer(server, cwd), hub)))
  for (const same of Map.groupBy(hooks, ({ command }) => command?.replace(/ \|\| true$/, '') ?? null).values()) {
    const [hook] = same
    const events = same.map(({ event }) => event).join(', ')
    const what = hook?.command === null ? `commands of the plugin${where}` : `hooks${where} (${events})`
    if (hook) findings.push(check(agent, what, async () => compare({ hub: await probeHook(hook, cwd) }, hub)))
  }
  if (agent.name === 'codex' && program !== null && hooks.length > 0) {
    findings.push(check(agent, `hooks${where}`, () => checkTrust(program, context.env, cwd, hooks)))
  }
  return Promise.all(findings)
}

/** Fails with a reason; else says what is fine. */
async function check(agent: Agent, what: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return await found(agent, true, `${what}: ${await work()}`)
  } catch (error) {
    return found(agent, false, `${what}: ${errorMessage(error)}`)
  }
}

async function found({ name }: Agent, fine: boolean, finding: string): Promise<Finding> {
  return { what: name, finding, fine }
}

function compare({ hub, tools }: { hub: string | null; tools?: readonly string[] }, expected: string): string {
  if (hub === null) throw new Error('starts, but does not say which hub it asks through')
  if (hub !== expected) throw new Error(`asks through ${hub}, and not through ${expected}; run beckon setup again`)
  return tools ? `reaches this hub with ${tools.length} tools` : 'reach this hub'
}

async function checkTrust(
  program: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
  hooks: readonly InstalledHook[],
): Promise<string> {
  const known = await listCodexHooks(program, env, cwd)
  const ours = known.filter(({ command }) => hooks.some(hook => hook.command === command))
  if (ours.length === 0)
    throw new Error('Codex does not know them; in a project, trust the project first: open codex there')
  if (ours.some(({ enabled }) => !enabled)) throw new Error('Codex has them disabled: open codex, /hooks')
  const isTrusted = ours.every(({ trustStatus }) => ['trusted', 'managed'].includes(trustStatus))
  if (!isTrusted) throw new Error('Codex does not run them, because you have not trusted them: open codex, /hooks')
  return 'trusted by you, so Codex runs them'
}
