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

  it('shows control sequences of the agent as escapes', () => {
    expect(streamed('a \u001b[31mred\u001b[0m b', 3).join('')).toBe('a \\x1b[31mred\\x1b[0m b')
  })
})
