import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect } from 'vitest'
import type { HolderAddress } from '../../src/supervisor/holder/address.ts'
import { connectHolder, type HolderLink, startHolder } from '../../src/supervisor/holder/connect.ts'
import type { Exit, Output } from '../../src/supervisor/holder/frames.ts'
import type { HolderSpec } from '../../src/supervisor/holder/spec.ts'

const program = join(import.meta.dirname, '../../src/supervisor/holder/main.ts')
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
})

/** Starts a holder in a separate process, with a bash script as its agent unless another command is given. */
export function hold(script: string, more: Partial<HolderSpec> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-holder-'))
  const socket = join(folder, 's')
  const secret = 'the secret of this run'
  const spec: HolderSpec = { command: ['bash', '-c', script], cwd: folder, socket, secret, stdin: 'pipe', ...more }
  writeFileSync(join(folder, 'spec.json'), JSON.stringify(spec))
  const { pid } = startHolder(program, folder, process.env)
  cleanups.push(() => {
    for (const one of [pid, agentOf(folder)]) {
      try {
        if (one) process.kill(one, 'SIGKILL')
      } catch {
        // It has already ended.
      }
    }
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, pid, socket, attach: (known: string | null = secret) => attach({ socket, secret: known }) }
}

function agentOf(folder: string): number | null {
  const file = join(folder, 'holder.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).agent : null
}

/** Connects as a supervisor of an agent that asks nothing, so that everything typed may reach it. */
async function attach(address: HolderAddress) {
  const outputs: Output[] = []
  const exited = Promise.withResolvers<Exit>()
  const state = { lost: false, unread: 0 }
  const link: HolderLink = await connectHolder(address, {
    onOutput: output => outputs.push(output),
    onExit: exited.resolve,
    onWaits: offset => link.pass(offset),
    onUnread: () => {
      state.unread += 1
    },
    onLost: () => {
      state.lost = true
    },
  })
  cleanups.push(() => link.close())
  const text = (stream = 'out') =>
    outputs
      .filter(output => output.stream === stream)
      .map(output => output.bytes.toString())
      .join('')
  return {
    link,
    outputs,
    exited: exited.promise,
    state,
    text,
    sees: (wanted: string) => until(() => text().includes(wanted)),
  }
}

export async function until(look: () => boolean): Promise<void> {
  for (let i = 0; i < 1_000 && !look(); i += 1) await sleep(10)
  expect(look()).toBe(true)
}
