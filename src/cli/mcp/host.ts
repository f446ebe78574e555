import { tmpdir } from 'node:os'
import type { Asker, Host } from '../../mcp/asker.ts'
import type { Machine } from '../../mcp/call.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { AgentContext } from '../../system/agent-context.ts'
import { lineage } from '../../system/processes/ancestors.ts'
import { isOwn } from '../agent-context.ts'
import type { Context } from '../context.ts'

/** What this process knows about the host that started it. */
export function hostOf({ cwd, env }: Context, agent: AgentContext): Host {
  return {
    cwd,
    run: agent.run ?? (env.BECKON_RUN || null),
    sessionName: agent.sessionName ?? env.CLAUDE_CODE_SESSION_ID ?? null,
    process: agent.session ?? parentProcess(),
  }
}

const wrappers = /^(ba|da|z|fi|k|tc|c)?sh$|^(env|timeout|setsid|nice)$/

/** A client that nothing else identifies: its process, which starts this server again when it ended. */
function parentProcess(): string | null {
  const [, ...ancestors] = Array.from(lineage(), ({ process }) => process)
  const client = ancestors.find(process => !wrappers.test(process.name()))
  return client ? `${client.pid}:${client.startedAt}` : null
}

/** The guard takes time to load: only approvals wait for it. */
export function machineOf({ env }: Context, hub: HubApi): Machine {
  return {
    async surroundings(cwd) {
      const { rulesFor } = await import('../../approval/project-rules.ts')
      const { openKeyedHash } = await import('../../open-hub.ts')
      return { env, rules: await rulesFor(hub, cwd), hmac: await openKeyedHash(env) }
    },
    async changes(cwd, files, run) {
      const { changesForReview } = await import('../review/changes.ts')
      return changesForReview(hub, cwd, files, run)
    },
    async readFiles(paths, cwd) {
      const { readAttachments } = await import('../../system/read-attachment.ts')
      // A host may keep its agent from reading other files; this tool must not read them in its place.
      const files = await readAttachments(paths, { directory: cwd, within: [cwd, tmpdir()] })
      return files.map(({ name, data }) => ({ name, data: Buffer.from(data as Uint8Array).toString('base64') }))
    },
  }
}

/** As for a command in the agent's shell, and only in the same session. */
export async function isOwnRequest(hub: HubApi, request: Request, asker: Asker, context: Context): Promise<boolean> {
  const { name, run, session, boundTo, cwd } = asker
  if ((request.session ?? null) !== session) return false
  const agent = { marker: name, carrier: null, name, run, session: boundTo, sessionName: session }
  return isOwn(hub, request, agent, { ...context, cwd: cwd ?? context.cwd })
}
