import { describe, expect, it } from 'vitest'
import { createHiding } from '../../src/secrets/redact-values.ts'

describe('hiding secrets in a message of an agent', () => {
  it('redacts every text, and changes nothing else', () => {
    const { add, hide } = createHiding()
    const message = {
      kind: 'question',
      timeout: null,
      required: true,
      questions: [{ question: 'Is canary-1 right?', options: ['canary-1', 'no'] }],
      context: Buffer.from('canary-1').toString('base64'),
    }
    expect(hide(message)).toEqual(message)
    add('canary-1')
    expect(hide(message)).toEqual({
      ...message,
      questions: [{ question: 'Is [redacted] right?', options: ['[redacted]', 'no'] }],
      context: '[redacted]',
    })
  })

  it('does not redact a common word that was given as a secret', () => {
    const { add, hide } = createHiding()
    add('main')
    expect(hide('Merge into main?')).toBe('Merge into main?')
  })

  it('does not match across two texts', () => {
    const { add, hide } = createHiding()
    add('canary-1')
    expect(hide(['can', 'ary-1', 'canary-1'])).toEqual(['can', 'ary-1', '[redacted]'])
  })
})
