import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hold as start, until } from './test-holder.ts'

describe('the holder of a run', () => {
  it('passes on both streams and the exit of the agent', async () => {
    const { folder, attach } = start('echo out; echo err >&2; exit 7')
    const { link, exited, text } = await attach()
    link.from(0)
    expect(await exited).toEqual({ code: 7, signal: null, error: null })
    expect([text('out'), text('err')]).toEqual(['out\n', 'err\n'])
    expect(JSON.parse(readFileSync(join(folder, 'exit.json'), 'utf8'))).toMatchObject({ code: 7 })
  })

  it('sends a second supervisor the output that the first one had not confirmed', async () => {
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

  it('writes an answer once, even if it is sent several times', async () => {
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

  it('makes an agent without a supervisor wait, and loses no output', async () => {
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

  it('reports why a command could not be started', async () => {
    const { attach } = start('', { command: ['no-such-command-of-anybody'] })
    const { link, exited } = await attach()
    link.from(0)
    expect((await exited).error).toContain('no-such-command-of-anybody')
  })

  it('reports that the arguments of a command are too long', async () => {
    const { attach } = start('', { command: ['echo', 'x'.repeat(140_000)] })
    const { link, exited } = await attach()
    link.from(0)
    expect((await exited).error).toBe(
      'echo could not be started: its arguments and its environment are too long (E2BIG).',
    )
  })

  it('reports that the agent has closed its stdin', async () => {
    const { attach } = start('exec 0<&-; echo closed; sleep 5')
    const { link, sees } = await attach()
    link.from(0)
    await sees('closed')
    expect(await link.input('r1', Buffer.alloc(200_000, 'x'))).not.toBeNull()
  })

  it('exits only when it is dismissed', async () => {
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
