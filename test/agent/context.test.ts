import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../src/agent/context/tokens.ts'
import type { TurnResult } from '../../src/agent/events.ts'
import type { AgentLoop } from '../../src/agent/index.ts'
import { stoppedByPerson } from '../../src/agent/options.ts'
import { until } from '../cli/sandbox.ts'
import { repliesIn } from './model-server.ts'
import { createAgentSandbox } from './sandbox.ts'
import type { ScriptedReply, Seen } from './wires/wire.ts'

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

  it('stays whole if a person stops the summary in the middle', async () => {
    const sandbox = await createAgentSandbox(seen => {
      if (isSummary(seen)) return { text: 'half a summary '.repeat(50), pause: 50 }
      return { text: 'word '.repeat(2_000), usage: { input: tokensOf(seen), output: 2_500 } }
    })
    const loop = await sandbox.open({ maxContextTokens: 8_000 })
    const stop = new AbortController()
    const stopped = until(() => sandbox.server.log.some(isSummary), 'the summary').then(async () => {
      await sleep(300)
      stop.abort(stoppedByPerson)
    })
    const texts = ['one', 'two', 'three', 'four', 'five', 'six']
    const results: TurnResult[] = []
    for (const text of texts) if (!stop.signal.aborted) results.push(await loop.runTurn(text, { signal: stop.signal }))
    await stopped
    expect(results.at(-1)).toMatchObject({ status: 'interrupted' })
    expect(sandbox.events.some(({ type }) => type === 'compacted')).toBe(false)
    expect(JSON.stringify(loop.messages())).not.toContain('half a summary')
    expect(JSON.stringify(loop.messages()[0])).toContain('one')
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

  it.each(['anthropic/scripted', 'openai/scripted', 'compatible/scripted', 'google/scripted'])(
    'carries over the task, the files and the names when the summary is empty: %s',
    async model => {
      const inputs = [
        { path: 'src/ledger.ts', content: 'export function reconcileLedger() {}\nconst LEDGER_URL = 1\n' },
        { path: 'docs/ledger.md', content: '# Ledger\n' },
      ]
      const sandbox = await createAgentSandbox(
        seen => {
          if (isSummary(seen)) return { text: '' }
          const input = seen.items.at(-1)?.type === 'user' ? inputs.shift() : undefined
          return input ? { calls: [{ name: 'Write', input }] } : { text: 'It calls `settleAccounts` now.' }
        },
        { model },
      )
      const loop = await sandbox.open()
      await loop.runTurn('Keep `max_retries` at 7, and reconcile the ledger.')
      await loop.runTurn('document it')
      await loop.runTurn('go on')
      expect(await loop.compact()).toBe(true)
      expect(await loop.compact()).toBe(true)
      await loop.runTurn('and now?')
      const [first] = sandbox.server.log.at(-1)?.items ?? []
      const text = first?.type === 'user' ? first.text : ''
      expect(text).toContain('Keep `max_retries` at 7, and reconcile the ledger.')
      expect(text).toContain('Files that were changed:\n- src/ledger.ts\n- docs/ledger.md')
      for (const name of ['reconcileLedger', 'LEDGER_URL', 'max_retries', 'settleAccounts'])
        expect(text.slice(text.indexOf('Names in use'))).toContain(name)
      expect(sandbox.server.violations).toEqual([])
    },
  )

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

/** Roughly as a provider counts: a token per Korean or Chinese character, or per four others. */
function countTokens({ system, items }: Seen): number {
  const text = system + JSON.stringify(items)
  const wide = text.replaceAll(/[\x20-\x7e]/g, '').length
  return wide + (text.length - wide) / 4
}

describe.each(['anthropic/scripted', 'openai/scripted', 'compatible/scripted', 'google/scripted'])(
  'the context of %s',
  model => {
    const uncounted: [string, ScriptedReply['usage']][] = [
      ['counts nothing', null],
      ['counts zeros', { input: 0, output: 0 }],
      ['counts only its replies', { output: 700 }],
      ['counts only what it had not read before', { input: 7, output: 700 }],
    ]
    it.each(uncounted)('is summarised if the provider %s', async (_, usage) => {
      const sandbox = await createAgentSandbox(
        seen => ({
          text: isSummary(seen) ? '요약입니다.' : '데이터베이스를 옮깁니다. '.repeat(80),
          usage: usage ?? null,
        }),
        { model },
      )
      const loop = await sandbox.open({ maxContextTokens: limit })
      for (let turn = 1; turn <= 20; turn += 1) {
        expect(await loop.runTurn(`${turn}번째 일: 表格を直して`)).toMatchObject({ status: 'done' })
      }
      const { log } = sandbox.server
      expect(log.filter(isSummary).length).toBeGreaterThan(1)
      expect(Math.max(...log.map(countTokens))).toBeLessThanOrEqual(limit)
      expect(loop.status().counted).toBe(false)
    })

    it('counts the replies itself if the provider counts only what it reads', async () => {
      const sandbox = await createAgentSandbox(
        seen => ({ text: 'word '.repeat(2_000), usage: { input: tokensOf(seen), output: 0 } }),
        { model },
      )
      const loop = await sandbox.open()
      await loop.runTurn('go')
      const [first] = sandbox.server.log
      expect(loop.status().tokens).toBeGreaterThan((first ? tokensOf(first) : 0) + 2_000)
    })
  },
)

describe('what the person wrote', () => {
  const task = 'Move the price list to 한국어:\n\n  1. keep   the ids\n\t2. never touch  `legacy/` "as is" </task>\n'
  /** A model that forgets everything when it summarises. */
  const forgetful = (seen: Seen): ScriptedReply => ({
    text: isSummary(seen) ? 'Some work was done.' : 'word '.repeat(1_600),
    usage: { input: tokensOf(seen), output: 2_000 },
  })
  const firstMessage = (sandbox: { server: { log: Seen[] } }) => {
    const item = sandbox.server.log.findLast(seen => !isSummary(seen))?.items[0]
    return item?.type === 'user' ? item.text : ''
  }

  it.each([
    ['anthropic/scripted', 200],
    ['compatible/scripted', 200],
    ['anthropic/scripted', 400],
  ])('survives every summary word for word, and a restart, with %s and status %i', async (model, status) => {
    const sandbox = await createAgentSandbox(
      seen => (isSummary(seen) && status !== 200 ? { status, text: 'no' } : forgetful(seen)),
      { model },
    )
    const summaries = () => sandbox.events.filter(({ type }) => type === 'compacted').length
    const talk = async (open: AgentLoop) => {
      for (let turn = 0; turn < 12; turn += 1) expect(await open.runTurn('go on')).toMatchObject({ status: 'done' })
    }
    const loop = await sandbox.open({ maxContextTokens: limit })
    await loop.runTurn(task)
    await loop.runTurn('And write the tests in  한글.')
    await talk(loop)
    expect(summaries()).toBeGreaterThan(1)
    expect(firstMessage(sandbox)).toContain(task)
    loop.close()
    const before = summaries()
    const again = await sandbox.open({ maxContextTokens: limit, folder: loop.folder })
    await talk(again)
    expect(summaries()).toBeGreaterThan(before)
    expect(firstMessage(sandbox)).toContain(task)
    expect(firstMessage(sandbox)).toContain('And write the tests in  한글.')
  })

  it('is shortened in the middle if it is very long, with a note where the whole is', async () => {
    const sandbox = await createAgentSandbox(forgetful)
    const long = `BEGIN ${'가나다라마바사 '.repeat(700)} END`
    const loop = await sandbox.open({ maxContextTokens: limit })
    for (const text of [long, ...Array(12).fill('go on')]) {
      expect(await loop.runTurn(text)).toMatchObject({ status: 'done' })
    }
    const text = firstMessage(sandbox)
    expect(text).toMatch(/BEGIN 가나다[\s\S]+characters are left out here[\s\S]+라마바사 {2}END/)
    expect(text).toContain(join(loop.folder, 'journal.jsonl'))
    expect(text).not.toContain(long)
    expect(Math.max(...sandbox.server.log.map(countTokens))).toBeLessThanOrEqual(limit)
  })

  it('keeps the task and the latest messages when there are too many, and says what is left out', async () => {
    const sandbox = await createAgentSandbox(forgetful)
    const loop = await sandbox.open({ maxContextTokens: limit })
    await loop.runTurn(task)
    for (let n = 1; n <= 40; n += 1) await loop.runTurn(`wish ${n}: ${'please '.repeat(60)}`)
    const text = firstMessage(sandbox)
    const kept = [...text.matchAll(/wish (\d+):/g)].map(([, n]) => Number(n))
    expect(text).toContain(task)
    expect(kept.length).toBeGreaterThan(2)
    expect(kept).toEqual(kept.map((_, i) => (kept[0] ?? 0) + i))
    expect(kept[0]).toBeGreaterThan(1)
    expect(text).toMatch(/\(\d+ earlier messages are left out; they are in /)
    expect(Math.max(...sandbox.server.log.map(countTokens))).toBeLessThanOrEqual(limit)
  })
})
