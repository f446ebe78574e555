import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openHub } from '../../src/open-hub.ts'
import type { HubApi, Scope } from '../../src/protocol/index.ts'
import { launcher } from '../cli/sandbox.ts'
import { temporaryFolder } from '../setup/databases.ts'

export interface ServedHub {
  readonly url: string
  home: string
  /** The same store, opened by a person beside the server. */
  hub: HubApi
  token(scope: Scope): Promise<string>
  /** `kill -9` of the server. */
  kill(): Promise<void>
  /** The server again, at the same address. */
  start(): Promise<void>
  close(): Promise<void>
}

/** A real `beckon serve`, in a process and with a home of its own. */
export async function serveHub(more: Record<string, string> = {}): Promise<ServedHub> {
  const home = realpathSync(temporaryFolder())
  const settings = { BECKON_HOME: home, BECKON_USER: 'ada', ...more }
  const hub = await openHub({ env: settings, caller: { directory: home, agent: 'shell' } })
  let port = '0'
  let url = ''
  let server: ChildProcess | null = null
  await start()
  return {
    get url() {
      return url
    },
    home,
    hub,
    token: async scope => (await hub.tokens.create({ scope, name: scope })).secret,
    kill,
    start,
    async close() {
      await kill()
      await hub.close()
    },
  }

  async function start() {
    const args = [launcher, 'serve', '--port', port]
    server = spawn(process.execPath, args, {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface({ input: server.stdout as NodeJS.ReadableStream }), 'line')
    url = line
    port = new URL(url).port
  }

  async function kill() {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'close')
    server.kill('SIGKILL')
    await gone
  }
}
