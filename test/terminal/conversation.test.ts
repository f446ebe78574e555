import { describe, expect, it } from 'vitest'
import { MarkdownStream } from '../../src/terminal/conversation/markdown-stream.ts'
import { renderMarkdown } from '../../src/terminal/markdown/markdown.ts'
import type { Line } from '../../src/text/styled.ts'

const source = `# Title

A paragraph that is **bold** in
two lines, with 한국어.

- one

- two
  with more

  \`\`\`sh
  echo inside of a list
  \`\`\`

After the list.

\`\`\`ts
const a = 1

const b = 2
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

The end.`

const textOf = (lines: readonly Line[]) =>
  lines.map(line =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  )

function streamed(text: string, size: number): string[] {
  const stream = new MarkdownStream()
  const lines: Line[] = []
  for (let at = 0; at < text.length; at += size) lines.push(...stream.push(text.slice(at, at + size), 60))
  return textOf([...lines, ...stream.end(60)])
}

describe('MarkdownStream', () => {
  it.each([1, 2, 3, 7, 24, 1_000])('renders Markdown in pieces of %i characters like the whole text', size => {
    expect(streamed(source, size)).toEqual(textOf(renderMarkdown(source, 60)))
  })

  it('returns complete blocks and keeps the rest open', () => {
    const stream = new MarkdownStream()
    expect(textOf(stream.push('First paragraph.\n\nSecond, still', 60))).toEqual(['First paragraph.'])
    expect(textOf(stream.open(60))).toEqual(['Second, still'])
    expect(textOf(stream.push(' going.\n\n```\ncode\n\nmore code\n', 60))).toEqual(['', 'Second, still going.'])
    expect(textOf(stream.open(60))).toEqual(['  code', '', '  more code'])
    expect(textOf(stream.end(60))).toEqual(['', '  code', '', '  more code'])
  })

  it('shows the end of long code while it arrives, and returns all of it when it ends', () => {
    const stream = new MarkdownStream()
    const code = Array.from({ length: 1_000 }, (_, i) => `line ${i}`)
    stream.push(`Here it is:\n~~~diff\n${code.join('\n')}`, 60)
    const open = textOf(stream.open(60))
    expect(open.length).toBeLessThan(300)
    expect(open.at(-1)).toBe('  line 999')
    expect(textOf(stream.push('\n~~~\n\n', 60))).toEqual(['Here it is:', '', 'diff', ...code.map(one => `  ${one}`)])
  })

  it('renders a part that takes long only now and then, and all of it at the end', () => {
    let now = 0
    // Every look at the clock takes 20 ms, and so does rendering.
    const stream = new MarkdownStream(() => {
      now += 20
      return now
    })
    stream.push('one', 60)
    const shown = () => textOf(stream.open(60)).join()
    expect(shown()).toBe('one')
    stream.push(' two', 60)
    expect(shown()).toBe('one')
    now += 1_000
    expect(shown()).toBe('one two')
    stream.push(' three', 60)
    expect(textOf(stream.open(10))).toEqual(['one two', 'three'])
    stream.push(' four', 60)
    expect(textOf(stream.end(60))).toEqual(['one two three four'])
  })

  it('shows control sequences of the agent as escapes', () => {
    expect(streamed('a \u001b[31mred\u001b[0m b', 3).join('')).toBe('a \\x1b[31mred\\x1b[0m b')
  })
})
