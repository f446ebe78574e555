import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '../setup/start-process.ts'
import type { LoadServer } from './load.ts'

/** Starts a server on a fresh database in a separate process. */
export async function startLoadServer(): Promise<{ server: LoadServer; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-load-'))
  const child = startProcess(join(import.meta.dirname, 'processes', 'server.ts'), [join(folder, 'beckon.db')])
  child.stderr?.pipe(process.stderr)
  const [access] = (await once(child, 'message')) as [Omit<LoadServer, 'memory'>]
  return {
    server: { ...access, memory },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }

  async function memory(of: 'held' | 'taken' = 'taken'): Promise<number> {
    const answered = once(child, 'message') as Promise<[number]>
    child.send(`memory ${of}`)
    return (await answered)[0]
  }
}
