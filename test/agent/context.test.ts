import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../src/agent/context/tokens.ts'
import { repliesIn } from './model-server.ts'
import { createAgentSandbox } from './sandbox.ts'
import type { Seen } from './wires/wire.ts'

const limit = 12_000
/** Roughly as a provider counts: one token per four characters. */
const tokensOf = ({ size }: Seen) => Math.ceil(size / 4)
const isSummary = ({ system }: Seen) => system.includes('You are summarising')

describe('the context', () => {
  it('estimates one token per Korean or Chinese character, and one per four other characters', () => {
    expect(estimateTokens('abcdefgh')).toBe(2)
    expect(estimateTokens('데이터베이스를')).toBe(7)
    expect(estimateTokens('使用哪个数据库 ok')).toBe(8)
  })

  it('stays inside its limit for 500 turns, and still knows the files and answers of turn 3', {
    timeout: 120_000,
  }, async () => {
    const sandbox = await createAgentSandbox(seen => {
      const usage = { input: tokensOf(seen), output: 20 }
      if (isSummary(seen)) return { text: 'They work on the shop. Many steps were done.', usage }
      const said = seen.items.findLast(item => item.type === 'user')
      const turn = Number(/turn (\d+)/.exec(said?.type === 'user' ? said.text : '')?.[1] ?? 0)
      const last = seen.items.at(-1)
      if (last?.type === 'result') return { text: `Turn ${turn} is done. ${'Lorem ipsum dolor. '.repeat(10)}`, usage }
      if (turn === 3) {
        const ask = { name: 'AskUserQuestion', input: { question: 'Which colour has the logo?' } }
        return { calls: [{ name: 'Write', input: { path: 'src/very-special-name.ts', content: 'x' } }, ask], usage }
      }
      return { calls: [{ name: 'Read', input: { path: 'notes.txt' } }], usage }
    })
    writeFileSync(join(sandbox.cwd, 'notes.txt'), `${'a note about nothing in particular\n'.repeat(20)}`)
    const loop = await sandbox.open({ maxContextTokens: limit })
    for (let turn = 1; turn <= 500; turn += 1) {
      const result = await loop.runTurn(`turn ${turn}`)
      if (result.status === 'waiting') {
        await loop.answerQuestion('the blue of 한강 at dusk, #1f4e9c')
        expect(await loop.runTurn()).toMatchObject({ status: 'done' })
      } else expect(result).toMatchObject({ status: 'done', text: expect.stringContaining(`Turn ${turn} is done`) })
    }
    const { log } = sandbox.server
    expect(Math.max(...log.map(tokensOf))).toBeLessThanOrEqual(limit)
    expect(log.filter(isSummary).length).toBeGreaterThan(10)
    expect(sandbox.server.violations).toEqual([])
    const last = JSON.stringify(log.at(-1)?.items)
    expect(last).toContain('src/very-special-name.ts')
    expect(last).toContain('the blue of 한강 at dusk, #1f4e9c')
    expect(sandbox.events.some(({ type }) => type === 'context')).toBe(true)
    expect(loop.status().tokens).toBeLessThan(limit)
  })

  it('is the same after a restart', async () => {
    const sandbox = await createAgentSandbox(seen => {
      const usage = { input: tokensOf(seen), output: 2_500 }
      return { text: isSummary(seen) ? 'a summary' : 'word '.repeat(2_000), usage }
    })
    const loop = await sandbox.open({ maxContextTokens: 8_000 })
    for (const text of ['one', 'two', 'three', 'four', 'five', 'six']) await loop.runTurn(text)
    expect(sandbox.events.filter(({ type }) => type === 'compacted').length).toBeGreaterThan(0)
    const messages = loop.messages()
    loop.close()
    const again = await sandbox.open({ maxContextTokens: 8_000, folder: loop.folder })
    expect(again.messages()).toEqual(messages)
  })

  it('is shortened without the model if the summary fails', async () => {
    const sandbox = await createAgentSandbox(seen => {
      if (isSummary(seen)) return { status: 400, text: 'no' }
      return { text: 'word '.repeat(2_000), usage: { input: tokensOf(seen), output: 2_500 } }
    })
    const loop = await sandbox.open({ maxContextTokens: 8_000 })
    for (const text of ['my wish is a pony', 'two', 'three', 'four', 'five', 'six']) {
      expect(await loop.runTurn(text)).toMatchObject({ status: 'done' })
    }
    expect(sandbox.events.some(({ type }) => type === 'compacted')).toBe(true)
    expect(loop.messages().length).toBeLessThan(12)
    expect(JSON.stringify(loop.messages()[0])).toContain('my wish is a pony')
  })

  it('is summarised on request and keeps the latest messages', async () => {
    const sandbox = await createAgentSandbox(seen =>
      isSummary(seen) ? { text: 'a summary' } : { text: `reply ${repliesIn(seen)}` },
    )
    const loop = await sandbox.open()
    expect(await loop.compact()).toBe(false)
    await loop.runTurn('one')
    await loop.runTurn('two')
    await loop.runTurn('three')
    expect(await loop.compact()).toBe(true)
    await loop.runTurn('four')
    const { items = [] } = sandbox.server.log.at(-1) ?? {}
    expect(items[0]).toMatchObject({ type: 'user', text: expect.stringContaining('a summary') })
    expect(items.at(-1)).toEqual({ type: 'user', text: 'four' })
  })
})
