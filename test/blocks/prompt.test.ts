import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseReply } from '../../src/blocks/index.ts'
import { promptWith } from '../../src/blocks/prompt.ts'
import { scan } from './scan.ts'

const prompt = readFileSync(join(import.meta.dirname, '../../src/blocks/prompt.md'), 'utf8')
const examples = (text: string) => [...text.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, example = '']) => example)
const typesIn = (text: string, nonce: string | null) =>
  scan([Buffer.from(examples(text).join('\n'))], { nonce }).map(({ type }) => type)
const asks = ['question', 'dependency', 'phase', 'error']

describe('the text for a system prompt', () => {
  it('has examples that scan as it claims', () => {
    expect(typesIn(prompt, null)).toEqual(asks)
    const replies = examples(prompt).filter(example => /^\[(DEPENDENCY_(NOT_)?PROVIDED|PROTOCOL)/.test(example))
    expect(replies.map(reply => parseReply(reply)?.type)).toEqual([
      'dependency-provided',
      'dependency-not-provided',
      'protocol-error',
    ])
  })

  it('asks nothing when an agent quotes the prompt', () => {
    expect(scan([Buffer.from(prompt)]).filter(({ type }) => type !== 'fenced')).toEqual([])
  })

  it('puts the nonce of a run into the prompt', () => {
    expect(promptWith(prompt, null)).toBe(prompt)
    const taught = promptWith(prompt, 'k3Z9')
    expect(typesIn(taught, 'k3Z9')).toEqual(asks)
    expect(taught).toContain('`=== CUSTOM TASK COMPLETE nonce=k3Z9 ===`')
    expect(taught).toContain('[/USER_QUESTION]')
  })
})
