import { describe, expect, it } from 'vitest'
import type { AskInput } from '../../src/protocol/index.ts'
import { widthOf } from '../../src/text/width.ts'
import { createSandbox } from './sandbox.ts'
import { terminal } from './tmux.ts'

// Text that an agent could write to control a terminal, or to mislead a person.
const corpus = {
  'a clipboard write': ['\x1b]52;c;aGFja2Vk\x07', '\\x1b]52;c;aGFja2Vk\\x07'],
  'a title': ['\x1b]0;hacked\x07', '\\x1b]0;hacked\\x07'],
  'a title ended by ST': ['\x1b]2;hacked\x1b\\', '\\x1b]2;hacked\\x1b\\'],
  'a link': ['\x1b]8;;http://evil\x07here\x1b]8;;\x07', '\\x1b]8;;http://evil\\x07here'],
  'cursor moves': ['\x1b[2J\x1b[1;1H\x1b[10A', '\\x1b[2J\\x1b[1;1H\\x1b[10A'],
  'another screen': ['\x1b[?1049h', '\\x1b[?1049h'],
  'a C1 sequence': ['\x9b2J', '\\x9b2J'],
  'a device control': ['\x1bP$q"p\x1b\\', '\\x1bP$q"p\\x1b\\'],
  'a right-to-left override': ['safe \u202egnp.exe', 'safe \\u202egnp.exe'],
  'an isolate': ['\u2066x\u2069', '\\u2066x\\u2069'],
  'zero width': ['pay\u200bpal', 'pay\\u200bpal'],
  'an invisible tag': ['a\u{e0041}b', 'a\\u{e0041}b'],
  'a bell and a backspace': ['ab\x07\x08', 'ab\\x07\\x08'],
} as const

function request(text: string): AskInput {
  return {
    questions: [
      {
        question: `Q ${text}?`,
        header: `H ${text}`.replaceAll(/[\r\n]/g, ''),
        options: [{ label: `L ${text}`, description: `D ${text}`, preview: `P ${text}` }, 'fine'],
        allowOther: true,
      },
    ],
    context: `# C ${text}\n\n- item ${text}\n\n\`\`\`\n${text}\n\`\`\`\n\n[link](http://x/${text.replaceAll(/\s/g, '')})`,
    agent: { name: `A ${text}`.replaceAll(/[\r\n]/g, '') },
  }
}

describe.each([
  ['rich', [], 'leave open'],
  ['plain', ['--plain'], 'or 0 for custom: '],
] as const)('the %s prompt', (_, flags, ready) => {
  it.each(Object.entries(corpus))('escapes %s', async (_name, [text, shown]) => {
    const sandbox = await createSandbox()
    await sandbox.ask({ ...request(text), key: 'k' })
    const { tmux, shows, screen, press, type, end } = terminal(
      sandbox,
      ['answer', (await sandbox.pending()).id, ...flags],
      {},
      { rows: 60 },
    )
    tmux('set-option', '-s', 'set-clipboard', 'on')
    const title = tmux('display-message', '-p', '#{pane_title}')
    await shows(ready)
    for (const prefix of ['Q', 'L', 'D', 'C'])
      expect(screen().replaceAll(/\s+/g, '')).toContain(`${prefix}${shown.replaceAll(/\s+/g, '')}`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(screen()).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\x07\x08\x9b]/)
    expect(tmux('display-message', '-p', '#{pane_title} #{alternate_on}')).toBe(`${title.trimEnd()} 0\n`)
    expect(tmux('list-buffers')).toBe('')
    if (flags.length === 0) press('2', 'Enter')
    else type('2')
    expect((await end()).code).toBe(0)
  })

  it('wraps a line of ten thousand characters', async () => {
    const sandbox = await createSandbox()
    const word = 'x'.repeat(9_999)
    const { id } = await sandbox.ask({
      questions: [{ question: 'Q?', options: [{ label: 'one', description: word }, '두번째'] }],
      context: word,
    })
    const { shows, screen, press, type, end } = terminal(
      sandbox,
      ['answer', id, ...flags],
      {},
      { columns: 80, rows: 24 },
    )
    await shows(flags.length === 0 ? ready : 'Enter number: ')
    for (const line of screen().split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(80)
    if (flags.length === 0) press('2', 'Enter')
    else type('2')
    expect((await end()).code).toBe(0)
    expect((await sandbox.hub.get(id)).outcome?.answers[0]?.selected).toEqual(['두번째'])
  })
})

describe('the rich prompt', () => {
  it.each([40, 80, 200])('aligns Korean and Chinese at %i columns, and cuts nothing off', async columns => {
    const sandbox = await createSandbox()
    const question = '어떤 데이터베이스를 사용할까요? 운영 환경에서 가장 오래 쓸 것을 골라 주세요.'
    const description = '一个文件，不需要服务器，适合在一台机器上使用，非常简单，而且很快，也很可靠。'
    const { id } = await sandbox.ask({
      questions: [{ question, header: '데이터', options: [{ label: '数据库', description }, '👩‍🚀 e\u0301'] }],
    })
    const { shows, screen, press, end } = terminal(sandbox, ['answer', id], {}, { columns, rows: 30 })
    await shows('↑↓ move')
    const lines = screen().split('\n')
    const from = lines.findIndex(line => line.startsWith('데이터'))
    const shown = lines
      .slice(from)
      .map(line => line.trim())
      .join('')
      .replaceAll(/\s/g, '')
    expect(shown).toContain(question.replaceAll(/\s/g, ''))
    expect(shown).toContain(description)
    // The description hangs under its label.
    const label = lines.findIndex(line => line.includes('数据库'))
    expect(lines[label + 1]).toMatch(/^ {5}一/)
    if (columns === 40) expect(lines[label + 2]).toMatch(/^ {5}\S/)
    press('1', 'Enter')
    expect((await end()).code).toBe(0)
  })
})
