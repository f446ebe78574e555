import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resultsIn } from './model-server.ts'
import { createAgentSandbox } from './sandbox.ts'

const journalOf = (folder: string) => join(folder, 'journal.jsonl')
const linesOf = (folder: string) => readFileSync(journalOf(folder), 'utf8').split('\n').slice(0, -1)

/** Removes the last lines of the journal, as if a crash had prevented them. */
function cutBack(folder: string, lines: number) {
  const kept = linesOf(folder).slice(0, -lines)
  writeFileSync(journalOf(folder), kept.map(line => `${line}\n`).join(''))
}

describe('a conversation after a crash', () => {
  it('drops an incomplete last line and continues from the line before', async () => {
    const sandbox = await createAgentSandbox((_, count) => ({ text: `reply ${count}` }))
    const loop = await sandbox.open()
    await loop.runTurn('hello')
    loop.close()
    appendFileSync(journalOf(loop.folder), '{"type":"user","text":"half a')
    const again = await sandbox.open({ folder: loop.folder })
    expect(await again.runTurn('more')).toMatchObject({ status: 'done', text: 'reply 2' })
    expect(sandbox.server.log[1]?.items.map(item => ('text' in item ? item.text : ''))).toEqual([
      'hello',
      'reply 1',
      'more',
    ])
  })

  it('reports the line at which a journal is damaged in the middle', async () => {
    const sandbox = await createAgentSandbox(() => ({ text: 'x' }))
    const loop = await sandbox.open()
    await loop.runTurn('hello')
    loop.close()
    const [head = '', ...rest] = linesOf(loop.folder)
    writeFileSync(journalOf(loop.folder), [head, '{"type":"nonsense"}', ...rest, ''].join('\n'))
    await expect(sandbox.open({ folder: loop.folder })).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('line 2'),
    })
  })

  it('does not repeat a command that may have run, and tells the model', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: 'echo x >> log' } }] } : { text: 'ok' },
    )
    const loop = await sandbox.open()
    await loop.runTurn('do it')
    loop.close()
    // Everything after `started`: the result, the reply, the end of the turn.
    cutBack(loop.folder, 3)
    expect(linesOf(loop.folder).at(-1)).toContain('"started"')
    const again = await sandbox.open({ folder: loop.folder })
    expect(again.isUnfinished()).toBe(true)
    await again.runTurn()
    expect(readFileSync(join(sandbox.cwd, 'log'), 'utf8')).toBe('x\n')
    expect(resultsIn(sandbox.server.log.at(-1) as never)[0]).toContain('was stopped while this ran')
  })

  it('runs a command that had not started', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: 'echo x >> log' } }] } : { text: 'ok' },
    )
    const loop = await sandbox.open()
    await loop.runTurn('do it')
    loop.close()
    cutBack(loop.folder, 4)
    truncateSync(join(sandbox.cwd, 'log'))
    await (await sandbox.open({ folder: loop.folder })).runTurn()
    expect(readFileSync(join(sandbox.cwd, 'log'), 'utf8')).toBe('x\n')
  })

  it('finds a question that was stored but not journalled, and its answer', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'AskUserQuestion', input: { question: 'Which?' } }] } : { text: 'ok' },
    )
    const loop = await sandbox.open()
    await loop.runTurn('ask')
    loop.close()
    // `asked` and the end of the turn are gone.
    cutBack(loop.folder, 2)
    const [request] = (await sandbox.hub.list()).requests
    await sandbox.hub.answer(request?.id ?? '', { value: 'that one' })
    await (await sandbox.open({ folder: loop.folder })).runTurn()
    expect(resultsIn(sandbox.server.log[1] as never)).toEqual(['User answered: that one'])
    expect((await sandbox.hub.list({ status: 'all' })).requests).toHaveLength(1)
  })

  it('confirms the delivery of an answer that it had received but not confirmed', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1 ? { calls: [{ name: 'AskUserQuestion', input: { question: 'Which?' } }] } : { text: 'ok' },
    )
    const loop = await sandbox.open({
      hub: { ...sandbox.hub, confirmDelivery: () => Promise.reject(new Error('killed here')) },
    })
    await loop.runTurn('ask')
    await loop.answerQuestion('x')
    await loop.runTurn()
    loop.close()
    expect((await sandbox.hub.list({ status: 'all' })).requests[0]?.deliveredAt).toBeNull()
    await sandbox.open({ folder: loop.folder })
    expect((await sandbox.hub.list({ status: 'all' })).requests[0]?.deliveredAt).not.toBeNull()
  })

  it('can be open in only one process at a time', async () => {
    const sandbox = await createAgentSandbox(() => ({ text: 'x' }))
    const loop = await sandbox.open()
    await expect(sandbox.open({ folder: loop.folder })).rejects.toMatchObject({ code: 'in_use' })
    loop.close()
    expect(existsSync(join(loop.folder, 'lock'))).toBe(false)
    // A lock of a process that died without releasing it.
    writeFileSync(join(loop.folder, 'lock'), JSON.stringify({ pid: 999_999_999, startedAt: '1', boot: 'x' }))
    await (await sandbox.open({ folder: loop.folder })).runTurn('hello')
  })
})
