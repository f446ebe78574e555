import type { Agent, Place } from '../../setup/agents/agent.ts'
import { agents } from '../../setup/agents/index.ts'
import { findAgent } from '../../setup/find-agent.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { formatTable } from '../output/table.ts'
import { projectOf } from './set-up.ts'

interface Listed {
  agent: string
  title: string
  /** Null where it is not on PATH. */
  program: string | null
  version: string | null
  user: Connection
  project: Connection
}

interface Connection {
  mcp: boolean
  hooks: boolean
}

/** The agents that setup knows, which of them are on this machine, and what is connected. */
export async function listAgents(context: Context, json: boolean): Promise<number> {
  const listed = await Promise.all(agents.map(agent => describe(context, agent)))
  if (json) await printJson(context.stdout, { agents: listed })
  else await print(context.stdout, formatTable(head, listed.map(rowOf), context.stdout))
  const free = listed.find(({ program, user, project }) => program && !isConnected(user) && !isConnected(project))
  if (free) context.stderr.write(`To connect ${free.title}: beckon setup ${free.agent}\n`)
  return exitCodes.fine
}

async function describe({ env, cwd }: Context, agent: Agent): Promise<Listed> {
  const found = await findAgent(agent.name, env)
  const connection = async (place: Place): Promise<Connection> => ({
    mcp: (await agent.server(place, found)) !== null,
    hooks: agent.hooks(place).length > 0,
  })
  return {
    agent: agent.name,
    title: agent.title,
    program: found?.program ?? null,
    version: found?.version ?? null,
    user: await connection({ env, project: null }),
    project: await connection({ env, project: projectOf(cwd) }),
  }
}

const head = ['AGENT', 'VERSION', 'CONNECTED', 'IN THIS PROJECT', 'PROGRAM']

function rowOf({ agent, program, version, user, project }: Listed): string[] {
  return [agent, version ?? '-', textOf(user), textOf(project), program ?? 'not found']
}

function textOf({ mcp, hooks }: Connection): string {
  return [mcp ? 'MCP' : '', hooks ? 'hooks' : ''].filter(Boolean).join(' and ') || '-'
}

function isConnected({ mcp, hooks }: Connection): boolean {
  return mcp || hooks
}
