import { describe, expect, it } from 'vitest'
import { createHarmlessStream } from '../../src/text/harmless-stream.ts'

function inPieces(source: string, size: number): string {
  const { push, end } = createHarmlessStream()
  const bytes = Buffer.from(source)
  let shown = ''
  for (let at = 0; at < bytes.length; at += size) shown += push(bytes.subarray(at, at + size))
  return shown + end()
}

describe('output made harmless as it comes', () => {
  const source = 'one\ttwo\r\nthree \u001b[31mred\u001b[0m 한국어 😀\r\n\rover\u009b2J\u202eend\r'
  const shown = 'one\ttwo\nthree \\x1b[31mred\\x1b[0m 한국어 😀\n\\rover\\x9b2J\\u202eend\\r'

  it.each([1, 2, 3, 5, 1_000])('reads the same in pieces of %i bytes', size => {
    expect(inPieces(source, size)).toBe(shown)
  })

  it('shows everything at once that a later piece cannot change', () => {
    expect(createHarmlessStream().push('Continue? [y/n] ')).toBe('Continue? [y/n] ')
  })

  it('joins halves of a character that come as text', () => {
    const { push, end } = createHarmlessStream()
    expect([push('a\ud83d'), push('\ude00b'), push('\ud83d'), end()]).toEqual(['a', '😀b', '', '\\ud83d'])
  })

  it('shows bytes that are not UTF-8, and an unfinished character, as replacements', () => {
    const { push, end } = createHarmlessStream()
    expect([push(Buffer.from([0x61, 0xff, 0x62, 0xe2])), end()]).toEqual(['a\ufffdb', '\ufffd'])
  })
})
