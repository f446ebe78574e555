import * as z from 'zod'
import { withJsonRpc } from './json-rpc.ts'

/** A hook as Codex lists it. */
export interface CodexHook {
  command: string
  /** Codex runs it only where this is `trusted` or `managed`. */
  trustStatus: string
  enabled: boolean
}

/** The hooks that Codex knows in a folder, and whether the person trusts them: Codex says nothing when it skips one. */
export function listCodexHooks(program: string, env: NodeJS.ProcessEnv, cwd: string): Promise<CodexHook[]> {
  // Plugins would be looked for on the network.
  const args = ['app-server', '--disable', 'plugins']
  return withJsonRpc({ command: program, args, env, cwd, limit: 30_000 }, async rpc => {
    await rpc.request('initialize', { clientInfo: { name: 'beckon', title: 'Beckon', version: '1' } })
    rpc.notify('initialized')
    const { data } = hooksList.parse(await rpc.request('hooks/list', { cwds: [cwd] }))
    return data.flatMap(({ hooks }) => hooks)
  })
}

const hooksList = z.object({
  data: z.array(
    z.object({
      hooks: z.array(z.object({ command: z.string().catch(''), trustStatus: z.string(), enabled: z.boolean() })),
    }),
  ),
})
