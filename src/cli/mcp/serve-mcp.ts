import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import packageJson from '../../../package.json' with { type: 'json' }
import { askerOf } from '../../mcp/asker.ts'
import { hostLimit } from '../../mcp/host-limits.ts'
import { createRepeats } from '../../mcp/repeats.ts'
import { createMcpServer } from '../../mcp/server.ts'
import { createStdioTransport } from '../../mcp/stdio.ts'
import { tools, toolsForPermissionHost } from '../../mcp/tools/index.ts'
import { createWorkingDirectory } from '../../mcp/working-directory.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { agentContext } from '../agent-context.ts'
import type { Context } from '../context.ts'
import { interruption } from '../interruption.ts'
import { errorMessage } from '../output/error-message.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { hostOf, isOwnRequest, machineOf } from './host.ts'
import { describeHub, withWritableHub } from './hub.ts'

export interface ServeMcpOptions {
  /** How long a call may wait, in milliseconds; null to go by the client. */
  wait: number | null
  permissionHost: boolean
}

const lastWords = 2_000

/** Serves one client on stdin and stdout until it closes the connection, or a signal ends us. */
export async function serveMcp(context: Context, { wait, permissionHost }: ServeMcpOptions): Promise<number> {
  const interrupted = interruption()
  const agent = agentContext(context)
  const host = hostOf(context, agent)
  const workingDirectory = createWorkingDirectory(context.cwd)
  return withWritableHub(context, async hub => {
    say(`asks through ${describeHub(context)}`)
    await serve(hub)
    return exitCodes.fine
  }).finally(interrupted.release)

  async function serve(hub: HubApi) {
    const ended = new AbortController()
    const closing = AbortSignal.any([interrupted.signal, ended.signal])
    const { server, connect, idle } = createMcpServer({
      hub,
      version: packageJson.version,
      tools: permissionHost ? toolsForPermissionHost : tools,
      machine: machineOf(context, hub),
      repeats: createRepeats(),
      async asker(server, meta) {
        const cwd = await workingDirectory(server)
        return askerOf({ ...host, cwd }, server.getClientVersion()?.name ?? null, meta)
      },
      limit: (client, hasProgress) => hostLimit({ wait, env: context.env }, client, hasProgress),
      isOwn: (request, asker) => isOwnRequest(hub, request, asker, context),
      closing,
      onFault: error => say(errorMessage(error)),
    })
    const { stdin, stdout } = context
    const write = (text: string) => print(stdout, text)
    await connect(createStdioTransport({ input: stdin, write, onEnd: () => ended.abort() }))
    if (!closing.aborted) await once(closing, 'abort')
    // Calls that wait return their tickets: a client that only stopped writing still reads them.
    await Promise.race([idle(), sleep(lastWords)])
    await server.close()
  }

  function say(text: string) {
    context.stderr.write(`beckon mcp: ${harmlessTitle(text)}\n`)
  }
}
