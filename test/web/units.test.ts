import { describe, expect, it } from 'vitest'
import type { Request } from '../../src/protocol/index.ts'
import { lexMarkdown } from '../../src/text/markdown-lexer.ts'
import { commandLines, splitWords } from '../../web/src/approval/command-lines.ts'
import { toCsv } from '../../web/src/history/csv.ts'
import { LogLines } from '../../web/src/run/log-lines.ts'
import { headingLevels } from '../../web/src/text/heading-levels.ts'
import { highlight } from '../../web/src/text/highlight.ts'

describe('the log of a run', () => {
  it('turns colours into classes across lines and chunks', () => {
    const log = new LogLines()
    log.push('out', 'plain \x1b[1;31mred')
    log.push('out', ' still\nred too\x1b[0m done\n')
    expect(log.lines().map(({ spans }) => spans.map(({ text, className }) => [text, className]))).toEqual([
      [
        ['plain ', ''],
        ['red still', 'fg-1 bold'],
      ],
      [
        ['red too', 'fg-1 bold'],
        [' done', ''],
      ],
    ])
  })

  it('shows the last state of a progress bar, and drops other escape sequences', () => {
    const log = new LogLines()
    log.push('out', '10%\r50%\r100%\r\n\x1b[2J\x1b[10;5H\x1b]0;title\x07here\x1b[K\n')
    expect(log.lines().map(({ text }) => text)).toEqual(['100%', 'here'])
  })

  it('maps any colour to the nearest of sixteen', () => {
    const log = new LogLines()
    log.push('out', '\x1b[38;5;196mr\x1b[38;2;0;200;0mg\x1b[48;5;21mb\n')
    expect(log.lines()[0]?.spans.map(({ className }) => className)).toEqual(['fg-9', 'fg-2', 'fg-2 bg-12'])
  })

  it('shows an incomplete line, and keeps two streams apart', () => {
    const log = new LogLines()
    log.push('out', 'Name? ')
    expect(log.lines().map(({ text }) => text)).toEqual(['Name? '])
    log.push('err', 'warning\n')
    expect(log.lines().map(({ text, stream }) => [stream, text])).toEqual([
      ['out', 'Name? '],
      ['err', 'warning'],
    ])
  })

  it('keeps a long-running progress bar as one line in its colour', () => {
    const log = new LogLines()
    log.push('out', '\x1b[32m')
    for (let i = 0; i < 5_000; i++) log.push('out', `\r${i} of 5000 done`)
    log.push('out', '\ndone\n')
    expect(log.lines().map(({ text }) => text)).toEqual(['4999 of 5000 done', 'done'])
    expect(log.lines()[0]?.spans[0]?.className).toBe('fg-2')
  })

  it('drops and counts the oldest lines when there are too many to scroll', () => {
    const log = new LogLines(100)
    for (let i = 1; i <= 1_000; i++) log.push('out', `${i}\n`)
    const lines = log.lines()
    expect(lines.length).toBeLessThanOrEqual(110)
    expect(log.dropped + lines.length).toBe(1_000)
    expect(lines.at(-1)?.text).toBe('1000')
  })

  it('parses the same wherever the output is cut into chunks', () => {
    const source = 'a\x1b[31mb\x1b[0m\nc\x1b]8;;http://x\x07d\n'
    const whole = new LogLines()
    whole.push('out', source)
    for (let at = 0; at <= source.length; at++) {
      const cut = new LogLines()
      cut.push('out', source.slice(0, at))
      cut.push('out', source.slice(at))
      expect(cut.lines()).toEqual(whole.lines())
    }
  })
})

describe('a displayed command', () => {
  it('marks its spans, even invalid ones', () => {
    const marked = (spans: [number, number][]) =>
      commandLines('ls && rm -rf /', spans).map(({ segments }) =>
        segments.filter(one => one.risky).map(one => one.text),
      )
    expect(marked([[6, 14]])).toEqual([['rm -rf /']])
    expect(
      marked([
        [6, 8],
        [7, 999],
      ]),
    ).toEqual([['r', 'm', ' -rf /']])
    expect(
      marked([
        [9, 3],
        [50, 60],
      ]),
    ).toEqual([[]])
  })

  it('breaks only between words, even if part of a word is marked', () => {
    const [line] = commandLines('rm -rf /srv/a  b', [[8, 10]])
    const words = splitWords(line?.segments ?? []).map(word =>
      word.map(({ text, risky }) => (risky ? `[${text}]` : text)),
    )
    expect(words).toEqual([['rm'], [' '], ['-rf'], [' '], ['/', '[sr]', 'v/a'], ['  '], ['b']])
  })

  it('keeps every character across lines', () => {
    const lines = commandLines('one\ntwo three\nfour', [[2, 7]])
    expect(lines.map(({ segments }) => segments.map(({ text }) => text).join(''))).toEqual(['one', 'two three', 'four'])
    expect(lines.map(({ segments }) => segments.filter(one => one.risky).map(one => one.text))).toEqual([
      ['e'],
      ['two'],
      [],
    ])
  })
})

describe('highlighting', () => {
  it('never changes the text', () => {
    const source = 'const a = "x\\"y" // note\n/* b\n c */ if (1.5) `t\nt`\n\n'
    for (const language of ['ts', 'sh', 'diff', '', 'nothing-known']) {
      const text = highlight(source, language)
        .map(line => line.map(piece => piece.text).join(''))
        .join('\n')
      expect(text).toBe(source)
    }
  })

  it('recognises the lines of a diff', () => {
    const tints = highlight('--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z', 'diff').map(([piece]) => piece?.tint)
    expect(tints).toEqual(['file', 'file', 'hunk', 'removed', 'added', null])
  })
})

describe('an export', () => {
  it('contains no cell that a spreadsheet reads as a formula, whatever its separator', () => {
    const asked = {
      kind: 'question',
      agent: { name: '=1+1', cwd: '/srv', path: [] },
      questions: [{ question: `x;=cmd|' /C calc'!A0` }],
      outcome: { answers: [{ id: 'q1', selected: ['a;b', 'c\n+d', ' @e', 'f;"=g', '1-2'], text: null, note: null }] },
    } as unknown as Request
    const csv = toCsv([asked])
    expect(csv).toContain(`"'=1+1"`)
    expect(csv).toContain(`"x;'=cmd|' /C calc'!A0"`)
    expect(csv).toContain(`"a;b\nc\n'+d\n' @e\nf;'""=g\n1-2"`)
    for (const separator of [';', '\t', '\n'])
      for (const part of csv.split(separator)) expect(part).not.toMatch(/^[\s"]*[=+@-]/)
  })
})

describe("an agent's headings", () => {
  it('start below the title of the page, each at most one level deeper than its parent', () => {
    const levels = (source: string) => [...headingLevels(lexMarkdown(source) ?? []).values()]
    expect(levels('### a\n\n##### b\n\n### c\n\n# d\n\n###### e')).toEqual([2, 3, 2, 2, 3])
    expect(levels('# a\n\n> ### b\n\n- #### c\n\n## d')).toEqual([2, 3, 4, 3])
    expect(levels('# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6')).toEqual([2, 3, 4, 5, 6, 6])
  })
})
