import { describe, expect, it } from 'vitest'
import { createHiding } from '../../src/secrets/redact-values.ts'

describe('hiding secrets in what an agent says', () => {
  it('reaches every text, and leaves everything else as it is', () => {
    const { add, hide } = createHiding()
    const said = {
      kind: 'question',
      timeout: null,
      required: true,
      questions: [{ question: 'Is canary-1 right?', options: ['canary-1', 'no'] }],
      context: Buffer.from('canary-1').toString('base64'),
    }
    expect(hide(said)).toEqual(said)
    add('canary-1')
    expect(hide(said)).toEqual({
      ...said,
      questions: [{ question: 'Is [redacted] right?', options: ['[redacted]', 'no'] }],
      context: '[redacted]',
    })
  })

  it('leaves words alone that somebody called a secret', () => {
    const { add, hide } = createHiding()
    add('main')
    expect(hide('Merge into main?')).toBe('Merge into main?')
  })

  it('forgets the end of one text before the next', () => {
    const { add, hide } = createHiding()
    add('canary-1')
    expect(hide(['can', 'ary-1', 'canary-1'])).toEqual(['can', 'ary-1', '[redacted]'])
  })
})
