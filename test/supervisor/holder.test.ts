import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { connectHolder, type HolderLink, startHolder } from '../../src/supervisor/holder/connect.ts'
import type { Exit, Output } from '../../src/supervisor/holder/frames.ts'

const program = join(import.meta.dirname, '../../src/supervisor/holder/main.ts')
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
})

function start(script: string, more: { stdin?: 'pipe' | 'none'; command?: string[] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-holder-'))
  const socket = join(folder, 's')
  const command = more.command ?? ['bash', '-c', script]
  writeFileSync(
    join(folder, 'spec.json'),
    JSON.stringify({ command, cwd: folder, socket, stdin: more.stdin ?? 'pipe' }),
  )
  const pid = startHolder(program, folder, process.env)
  cleanups.push(() => {
    for (const one of [pid, agentOf(folder)]) {
      try {
        if (one) process.kill(one, 'SIGKILL')
      } catch {
        // It is gone already.
      }
    }
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, pid, attach: () => attach(socket) }
}

function agentOf(folder: string): number | null {
  const file = join(folder, 'holder.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).agent : null
}

async function attach(socket: string) {
  const outputs: Output[] = []
  const exited = Promise.withResolvers<Exit>()
  const state = { lost: false }
  const link: HolderLink = await connectHolder(socket, {
    onOutput: output => outputs.push(output),
    onExit: exited.resolve,
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

async function until(look: () => boolean): Promise<void> {
  for (let i = 0; i < 1_000 && !look(); i += 1) await sleep(10)
  expect(look()).toBe(true)
}

describe('the holder of a run', () => {
  it('hands out both streams, and how the agent ended', async () => {
    const { folder, attach } = start('echo out; echo err >&2; exit 7')
    const { link, exited, text } = await attach()
    link.from(0)
    expect(await exited).toEqual({ code: 7, signal: null, error: null })
    expect([text('out'), text('err')]).toEqual(['out\n', 'err\n'])
    expect(JSON.parse(readFileSync(join(folder, 'exit.json'), 'utf8'))).toMatchObject({ code: 7 })
  })

  it('gives a second supervisor what the first one had not made safe', async () => {
    const { attach } = start('echo one; read x; echo "two $x"; read y')
    const first = await attach()
    first.link.from(0)
    await first.sees('one\n')
    first.link.close()
    const second = await attach()
    expect(second.link.hello.from).toBe(0)
    second.link.from(0)
    await second.sees('one\n')
    second.link.taken(4)
    await second.link.input('r1', Buffer.from('answer\n'))
    await second.sees('two answer\n')
    second.link.close()
    const third = await attach()
    expect(third.link.hello.from).toBe(4)
    third.link.from(4)
    await third.sees('two answer\n')
    expect(third.text()).toBe('two answer\n')
  })

  it('writes an answer once, however often it is sent', async () => {
    const { attach } = start('while read -r line; do echo "got $line"; done')
    const first = await attach()
    first.link.from(0)
    expect(await first.link.input('r1', Buffer.from('yes\n'))).toBeNull()
    await first.sees('got yes\n')
    first.link.close()
    const second = await attach()
    expect(second.link.hello.written).toEqual(['r1'])
    second.link.from(0)
    expect(await second.link.input('r1', Buffer.from('yes\n'))).toBeNull()
    expect(await second.link.input('r2', Buffer.from('no\n'))).toBeNull()
    await second.sees('got no\n')
    expect(second.text()).toBe('got yes\ngot no\n')
  })

  it('lets an agent without a supervisor wait, and loses nothing', async () => {
    const { attach } = start('for i in $(seq 1 40000); do echo "line $i of a long output that fills every pipe"; done')
    const first = await attach()
    first.link.close()
    const second = await attach()
    second.link.from(0)
    const state = { taken: 0 }
    const taking = setInterval(() => {
      const last = second.outputs.at(-1)
      const end = last ? last.offset + last.bytes.length : 0
      if (end > state.taken) second.link.taken(end)
      state.taken = end
    }, 5)
    await second.exited
    clearInterval(taking)
    const lines = second.text().trimEnd().split('\n')
    expect(lines).toHaveLength(40_000)
    expect(lines.at(-1)).toBe('line 40000 of a long output that fills every pipe')
  })

  it('says why a command could not be started', async () => {
    const { attach } = start('', { command: ['no-such-command-of-anybody'] })
    const { link, exited } = await attach()
    link.from(0)
    expect((await exited).error).toContain('no-such-command-of-anybody')
  })

  it('says so when the agent reads no more', async () => {
    const { attach } = start('exec 0<&-; echo closed; sleep 5')
    const { link, sees } = await attach()
    link.from(0)
    await sees('closed')
    expect(await link.input('r1', Buffer.alloc(200_000, 'x'))).not.toBeNull()
  })

  it('goes when it is dismissed, and not before', async () => {
    const { pid = 0, folder, attach } = start('echo done')
    const first = await attach()
    first.link.from(0)
    await first.exited
    first.link.close()
    const second = await attach()
    second.link.from(0)
    expect(await second.exited).toMatchObject({ code: 0 })
    second.link.dismiss()
    await until(() => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '))
    expect(existsSync(join(folder, 's'))).toBe(false)
  })
})
