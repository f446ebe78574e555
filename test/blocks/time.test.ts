import { beforeEach, describe, expect, it } from 'vitest'
import { createScanner, type Item, type Scanner } from '../../src/blocks/index.ts'

let scanner: Scanner
const push = (text: string): Item[] => scanner.push(Buffer.from(text))
beforeEach(() => {
  scanner = createScanner({ blockTime: 10_000 })
})

describe('a phase', () => {
  const head = '=== PHASE 1 COMPLETE ===\n- a\n'

  it('is complete after 2 s of silence', () => {
    expect(push(head)).toEqual([])
    expect(scanner.tick(1_000)).toEqual([])
    expect(scanner.tick(2_999)).toEqual([])
    expect(scanner.tick(3_000)).toMatchObject([{ type: 'phase', files: ['a'] }])
    expect(scanner.tick(9_000)).toEqual([])
  })

  it('goes on as long as something comes', () => {
    push(head)
    scanner.tick(0)
    push('- b\n')
    expect(scanner.tick(2_500)).toEqual([])
    expect(scanner.tick(4_500)).toMatchObject([{ type: 'phase', files: ['a', 'b'] }])
  })

  it('takes a last line that has no line break, and what follows is a line of its own', () => {
    push(`${head}- b`)
    scanner.tick(0)
    expect(scanner.tick(2_000)).toMatchObject([{ type: 'phase', files: ['a', 'b'] }])
    expect(push('=== PHASE 2 COMPLETE ===\nReady for review.\n')).toMatchObject([{ type: 'phase', phase: 2 }])
  })

  it('leaves half of another line alone', () => {
    push(`${head}[USER_QUES`)
    scanner.tick(0)
    expect(scanner.tick(2_000)).toMatchObject([{ type: 'phase', files: ['a'] }])
    expect(push('TION]\ncategory: choice\nquestion: x\n[/USER_QUESTION]\n')).toMatchObject([{ type: 'question' }])
  })

  it('is found though its only line has no line break', () => {
    push('text\n=== PHASE 7 COMPLETE ===')
    scanner.tick(0)
    expect(scanner.tick(2_000)).toMatchObject([{ type: 'phase', phase: 7, start: 5, end: 29 }])
  })
})

describe('a block', () => {
  const block = '[USER_QUESTION]\ncategory: choice\nquestion: Which?\n'

  it('whose closing tag has no line break is found after 2 s of silence, and the next one too', () => {
    push(`${block}[/USER_QUESTION]`)
    scanner.tick(0)
    expect(scanner.tick(1_999)).toEqual([])
    expect(scanner.tick(2_000)).toMatchObject([{ type: 'question', end: block.length + 16 }])
    expect(push(`${block}[/USER_QUESTION]\n`)).toMatchObject([{ type: 'question', start: block.length + 16 }])
  })

  it('is not closed by half of its closing tag', () => {
    push(`${block}[/USER_QUES`)
    scanner.tick(0)
    expect(scanner.tick(5_000)).toEqual([])
    expect(push('TION]\n')).toMatchObject([{ type: 'question' }])
  })

  it('is malformed when it is not closed in time, however much comes', () => {
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

  it('leaves nothing behind when it was too slow in the middle of a long line', () => {
    push(`${block}question: ${'x'.repeat(100_000)}`)
    scanner.tick(0)
    expect(scanner.tick(10_000)).toMatchObject([{ type: 'malformed' }])
    expect(push(`x\n${block}[/USER_QUESTION]\n`)).toMatchObject([{ type: 'question' }])
  })

  it('may be as large as it is told to be', () => {
    const text = `${block}[/USER_QUESTION]`
    const scanWith = (blockBytes: number) => createScanner({ blockBytes }).push(Buffer.from(`${text}\n`))
    expect(scanWith(text.length)).toMatchObject([{ type: 'question' }])
    expect(scanWith(text.length - 1)).toMatchObject([{ type: 'malformed', start: 0, end: text.length - 1 }])
  })
})

it('finds nothing in silence', () => {
  push('[USER_QUESTION')
  expect([0, 5_000, 90_000].flatMap(now => scanner.tick(now))).toEqual([])
})
