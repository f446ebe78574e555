import { beforeEach, describe, expect, it } from 'vitest'
import { createScanner, type Item, type Scanner } from '../../src/blocks/index.ts'

let scanner: Scanner
const push = (text: string): Item[] => scanner.push(Buffer.from(text))
beforeEach(() => {
  scanner = createScanner({ blockTime: 10_000 })
})

describe('a phase', () => {
  const head = '=== PHASE 1 COMPLETE ===\n- a\n'

  it('completes a phase after 2 s of silence', () => {
    expect(push(head)).toEqual([])
    expect(scanner.tick(1_000)).toEqual([])
    expect(scanner.tick(2_999)).toEqual([])
    expect(scanner.tick(3_000)).toMatchObject([{ type: 'phase', files: ['a'] }])
    expect(scanner.tick(9_000)).toEqual([])
  })

  it('continues a phase as long as output arrives', () => {
    push(head)
    scanner.tick(0)
    push('- b\n')
    expect(scanner.tick(2_500)).toEqual([])
    expect(scanner.tick(4_500)).toMatchObject([{ type: 'phase', files: ['a', 'b'] }])
  })

  it('accepts the last line of a phase without a line break, and starts a new line after it', () => {
    push(`${head}- b`)
    scanner.tick(0)
    expect(scanner.tick(2_000)).toMatchObject([{ type: 'phase', files: ['a', 'b'] }])
    expect(push('=== PHASE 2 COMPLETE ===\nReady for review.\n')).toMatchObject([{ type: 'phase', phase: 2 }])
  })

  it('does not end a phase at an unfinished foreign line', () => {
    push(`${head}[USER_QUES`)
    scanner.tick(0)
    expect(scanner.tick(2_000)).toMatchObject([{ type: 'phase', files: ['a'] }])
    expect(push('TION]\ncategory: choice\nquestion: x\n[/USER_QUESTION]\n')).toMatchObject([{ type: 'question' }])
  })

  it('finds a phase whose only line has no line break', () => {
    push('text\n=== PHASE 7 COMPLETE ===')
    scanner.tick(0)
    expect(scanner.tick(2_000)).toMatchObject([{ type: 'phase', phase: 7, start: 5, end: 29 }])
  })
})

describe('a block', () => {
  const block = '[USER_QUESTION]\ncategory: choice\nquestion: Which?\n'

  it('finds a block whose closing tag has no line break after 2 s of silence, and the next one too', () => {
    push(`${block}[/USER_QUESTION]`)
    scanner.tick(0)
    expect(scanner.tick(1_999)).toEqual([])
    expect(scanner.tick(2_000)).toMatchObject([{ type: 'question', end: block.length + 16 }])
    expect(push(`${block}[/USER_QUESTION]\n`)).toMatchObject([{ type: 'question', start: block.length + 16 }])
  })

  it('does not close a block at half of its closing tag', () => {
    push(`${block}[/USER_QUES`)
    scanner.tick(0)
    expect(scanner.tick(5_000)).toEqual([])
    expect(push('TION]\n')).toMatchObject([{ type: 'question' }])
  })

  it('reports a block as malformed if it is not closed in time, even while output arrives', () => {
    push(block)
    expect(scanner.tick(100)).toEqual([])
    push('more\n')
    expect(scanner.tick(10_099)).toEqual([])
    expect(scanner.tick(10_100)).toMatchObject([
      {
        type: 'malformed',
        tag: 'USER_QUESTION',
        reason: expect.stringContaining('10 s'),
        text: expect.stringMatching(/more$/),
      },
    ])
    expect(push('[/USER_QUESTION]\n')).toEqual([])
  })

  it('forgets a block that timed out in the middle of a long line', () => {
    push(`${block}question: ${'x'.repeat(100_000)}`)
    scanner.tick(0)
    expect(scanner.tick(10_000)).toMatchObject([{ type: 'malformed' }])
    expect(push(`x\n${block}[/USER_QUESTION]\n`)).toMatchObject([{ type: 'question' }])
  })

  it('respects the configured limit for the size of a block', () => {
    const text = `${block}[/USER_QUESTION]`
    const scanWith = (blockBytes: number) => createScanner({ blockBytes }).push(Buffer.from(`${text}\n`))
    expect(scanWith(text.length)).toMatchObject([{ type: 'question' }])
    expect(scanWith(text.length - 1)).toMatchObject([{ type: 'malformed', start: 0, end: text.length - 1 }])
  })
})

it('finds nothing if there is no output', () => {
  push('[USER_QUESTION')
  expect([0, 5_000, 90_000].flatMap(now => scanner.tick(now))).toEqual([])
})
