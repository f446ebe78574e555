import { closeSync, fchmodSync, openSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AgentEvent } from '../../agent/events.ts'
import { modelKeys } from '../../agent/model/choose.ts'
import type { ModelTraffic } from '../../agent/model/traffic.ts'
import { invalid } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { createHiding } from '../../secrets/redact-values.ts'
import { createQueue } from '../../supervisor/queue.ts'
import { usedSecrets } from '../../supervisor/requests-of-run.ts'
import type { Context } from '../context.ts'

export interface DebugLog {
  take(entry: AgentEvent | ModelTraffic): void
  close(): Promise<void>
}

/** The file of `--debug`: every request to the model, its reply, and every event, a line of JSON each. */
export function openDebugLog(
  file: string,
  { cwd, env, now }: Pick<Context, 'cwd' | 'env' | 'now'>,
): (hub: HubApi, run: string) => DebugLog {
  const fd = openFile(resolve(cwd, file))
  return (hub, run) => {
    const hiding = createHiding()
    for (const name of [...modelKeys, 'BECKON_TOKEN', 'BECKON_KEY']) hiding.add(env[name] ?? '')
    const queue = createQueue(write, () => {})
    return {
      take(entry) {
        // The reply and the result have all of it.
        if (entry.type !== 'text' && entry.type !== 'output')
          queue.push({ at: new Date(now()).toISOString(), ...entry })
      },
      async close() {
        await queue.idle()
        closeSync(fd)
      },
    }

    async function write(entry: { at: string; type: string }) {
      // A command has opened its secrets before it ends. Without knowing them, what it printed is not recorded.
      const known = await usedSecrets(hub, run).catch(() => null)
      for (const secret of known ?? []) hiding.add(secret)
      const { at, type } = entry
      const recorded = known === null ? { at, type, left: 'The hub cannot be reached.' } : hiding.hide(entry)
      writeSync(fd, `${JSON.stringify(recorded)}\n`)
    }
  }
}

/** Only its owner can read it. */
function openFile(file: string): number {
  try {
    const fd = openSync(file, 'a', 0o600)
    fchmodSync(fd, 0o600)
    return fd
  } catch (error) {
    throw invalid([{ path: '--debug', message: `cannot write ${file} (${(error as NodeJS.ErrnoException).code})` }])
  }
}
