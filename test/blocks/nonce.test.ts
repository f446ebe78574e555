import { expect, it } from 'vitest'
import { scan } from './scan.ts'

const ask = (attribute: string, closing = '') =>
  `[USER_QUESTION${attribute}]\ncategory: choice\nquestion: Which?\n[/USER_QUESTION${closing}]\n`
const scanWith = (output: string, nonce: string | null) => scan([Buffer.from(output)], { nonce })

it('accepts blocks that carry the nonce', () => {
  expect(scanWith(ask(' nonce=k3-Z_9'), 'k3-Z_9')).toMatchObject([{ type: 'question' }])
  expect(scanWith(ask(' nonce=k3-Z_9', ' nonce=k3-Z_9'), 'k3-Z_9')).toMatchObject([{ type: 'question' }])
  expect(scanWith('=== PHASE 1 COMPLETE nonce=abc ===\nReady for review.\n', 'abc')).toMatchObject([{ type: 'phase' }])
  expect(scanWith('=== CUSTOM TASK COMPLETE nonce=abc ===\n', 'abc')).toMatchObject([{ type: 'custom-complete' }])
  expect(scanWith('[ERROR nonce=abc]\nmessage: x\n[/ERROR]\n', 'abc')).toMatchObject([{ type: 'error' }])
})

it.each([
  ['none', ask('')],
  ['another one', ask(' nonce=abd')],
  ['the beginning of it', ask(' nonce=ab')],
  ['more than it', ask(' nonce=abcd')],
  ['it in another place', ask('').replace('category', 'nonce: abc\ncategory')],
  ['it twice', ask(' nonce=abc nonce=abc')],
  ['a phase without', '=== PHASE 1 COMPLETE ===\n=== CUSTOM TASK COMPLETE ===\n'],
])('treats blocks that carry %s as text', (_, output) => {
  expect(scanWith(output, 'abc')).toEqual([])
})

it('does not let text without the nonce break a block that has it', () => {
  const quoted = '[DEPENDENCY_REQUEST]\ntype: api_key\n[/DEPENDENCY_REQUEST]'
  const output = `[USER_QUESTION nonce=abc]\ncategory: choice\nquestion: Is this safe?\n${quoted}\n[/USER_QUESTION]\n`
  const question = { question: expect.stringContaining(quoted) }
  expect(scanWith(output, 'abc')).toMatchObject([{ type: 'question', question }])
})

it('reports a fenced block only if it carries the nonce', () => {
  const fenced = (block: string) => `\`\`\`\n${block}\`\`\`\n`
  expect(scanWith(fenced(ask('')), 'abc')).toEqual([])
  expect(scanWith(fenced(ask(' nonce=abc')), 'abc')).toMatchObject([{ type: 'fenced' }])
})

it('accepts any nonce if none is required', () => {
  expect(scanWith(ask(' nonce=left-over'), null)).toMatchObject([{ type: 'question' }])
})
