import { describe, expect, it } from 'vitest'
import { createScanner, createUnwrapper } from '../../src/blocks/index.ts'
import { asksWith } from './corpus/case.ts'
import { chunksOf } from './scan.ts'

const block = asksWith('options: [가, 나]')

function unwrap(format: 'claude' | 'codex', lines: readonly (object | string)[], size = Number.POSITIVE_INFINITY) {
  const unwrapper = createUnwrapper(format)
  const output = lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  const texts = [...chunksOf(Buffer.from(output), size)].map(chunk => unwrapper.push(chunk))
  const text = Buffer.concat([...texts, unwrapper.end()])
  const scanner = createScanner()
  const questions = [...scanner.push(text), ...scanner.end()].filter(({ type }) => type === 'question')
  return { text: text.toString(), questions: questions.length, session: unwrapper.session() }
}

describe('claude', () => {
  const init = { type: 'system', subtype: 'init', session_id: 's-1', tools: [] }
  const says = (...texts: string[]) => ({
    type: 'assistant',
    message: { content: texts.map(text => ({ type: 'text', text })) },
    parent_tool_use_id: null,
    session_id: 's-1',
  })
  const streams = (event: object, parent: string | null = null) => ({
    type: 'stream_event',
    event,
    parent_tool_use_id: parent,
    session_id: 's-1',
  })
  const piece = (text: string, parent: string | null = null) =>
    streams({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, parent)
  const begin = streams({ type: 'message_start', message: { id: 'm', content: [] } })
  const beginText = streams({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
  const endText = streams({ type: 'content_block_stop', index: 0 })
  const result = { type: 'result', subtype: 'success', result: block, session_id: 's-2' }

  it('returns the text of the agent and its session', () => {
    expect(unwrap('claude', [init, says('Hello'), says(block)])).toEqual({
      text: `Hello\n${block}`,
      questions: 1,
      session: 's-1',
    })
  })

  it.each([1, 2, 3, 7, 64, 4_096])('returns the same text for chunks of %i bytes', size => {
    const lines = [init, says('안녕하세요'), says(`Hm.\n${block}`), result]
    expect(unwrap('claude', lines, size)).toEqual(unwrap('claude', lines))
  })

  it('starts every message on a new line', () => {
    expect(unwrap('claude', [says('no line break'), says(block.trimEnd()), says('after')]).questions).toBe(1)
    expect(unwrap('claude', [says('Thinking.', block)]).questions).toBe(1)
  })

  it('finds a block that is split over several messages', () => {
    const [first = '', ...rest] = block.split('\n')
    expect(unwrap('claude', [says(first), ...rest.map(line => says(line))]).questions).toBe(1)
  })

  it('finds a block that arrives in pieces once, at its last piece', () => {
    const pieces = [...`Hm.\n${block}`].map(character => piece(character))
    const before = [init, begin, beginText, ...pieces]
    expect(unwrap('claude', before)).toMatchObject({ text: `Hm.\n${block}`, questions: 1 })
    expect(unwrap('claude', [...before, endText, says(`Hm.\n${block}`), result])).toMatchObject({ questions: 1 })
    expect(unwrap('claude', [...before, says(`Hm.\n${block}`), endText, result])).toMatchObject({ questions: 1 })
  })

  it('returns the same text again if the agent repeats it', () => {
    const once = [begin, beginText, piece(block), endText, says(block)]
    expect(unwrap('claude', [...once, ...once]).questions).toBe(2)
    expect(unwrap('claude', [says(block), says(block)]).questions).toBe(2)
  })

  it('returns the whole message if its pieces stopped in the middle', () => {
    expect(unwrap('claude', [begin, beginText, piece(block.slice(0, 20)), says(`Again:\n${block}`)]).questions).toBe(1)
  })

  it('uses the whole messages of sub-agents instead of their pieces', () => {
    const sub = { ...says(block), parent_tool_use_id: 'toolu_1' }
    expect(unwrap('claude', [piece(block.slice(0, 30), 'toolu_1'), piece('other', 'toolu_2'), sub]).questions).toBe(1)
  })

  it('ignores blocks in tool results and thinking', () => {
    const tool = {
      type: 'user',
      message: { content: [{ type: 'tool_result', content: [{ type: 'text', text: block }] }] },
    }
    const thought = {
      type: 'assistant',
      message: { content: [{ type: 'thinking', thinking: block, text: undefined }] },
    }
    const use = { type: 'assistant', message: { content: [{ type: 'tool_use', input: { text: block } }] } }
    const input = streams({
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: block },
    })
    expect(unwrap('claude', [tool, thought, use, input])).toMatchObject({ text: '', questions: 0 })
  })

  it('uses the result if there was no other text', () => {
    expect(unwrap('claude', [result])).toMatchObject({ questions: 1, session: 's-2' })
    expect(unwrap('claude', [says(block), result])).toMatchObject({ questions: 1, session: 's-2' })
  })

  it('survives events of any shape', () => {
    const odd = [
      { type: 'assistant' },
      { type: 'assistant', message: null },
      { type: 'assistant', message: { content: 'x' } },
      { type: 7 },
      { type: 'stream_event' },
      { type: 'result', result: null },
      { type: 'rate_limit_event' },
    ]
    expect(unwrap('claude', [...odd, says(block)])).toMatchObject({ text: block, questions: 1 })
  })
})

describe('codex', () => {
  const started = { type: 'thread.started', thread_id: 'th-1' }
  const says = (text: string) => ({ type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text } })

  it('returns the text of the agent and its session', () => {
    const lines = [started, { type: 'turn.started' }, says('Hello'), says(block), { type: 'turn.completed', usage: {} }]
    expect(unwrap('codex', lines)).toEqual({ text: `Hello\n${block}`, questions: 1, session: 'th-1' })
  })

  it('ignores blocks in command output and thinking', () => {
    const command = {
      type: 'item.completed',
      item: { type: 'command_execution', aggregated_output: block, text: block },
    }
    const thought = { type: 'item.completed', item: { type: 'reasoning', text: block } }
    const begun = { type: 'item.started', item: { type: 'agent_message', text: block } }
    expect(unwrap('codex', [command, thought, begun])).toMatchObject({ text: '', questions: 0 })
  })

  it('finds a block that is split over several messages', () => {
    const half = block.indexOf('question:')
    expect(unwrap('codex', [says(block.slice(0, half)), says(block.slice(half))]).questions).toBe(1)
  })
})

describe.each(['claude', 'codex'] as const)('%s', format => {
  it.each(['plain text', '', '{not json', '[1, 2]', '"text"', '{"no":"type"}', block.trimEnd()])(
    'passes %j as text',
    line => {
      expect(unwrap(format, [line]).text).toBe(`${line}\n`)
    },
  )

  it('passes a line that is too long to be an event', () => {
    const line = `{"type":"user","data":"${'x'.repeat(17 * 1_024 * 1_024)}"}`
    const { text, questions } = unwrap(format, [line, block.trimEnd()], 1_000_000)
    expect(text === `${line}\n${block}`).toBe(true)
    expect(questions).toBe(1)
  })

  it('returns a last line that has no line break', () => {
    const unwrapper = createUnwrapper(format)
    expect(unwrapper.push(Buffer.from('half')).toString()).toBe('')
    expect(unwrapper.end().toString()).toBe('half\n')
    expect(unwrapper.session()).toBeNull()
  })
})
