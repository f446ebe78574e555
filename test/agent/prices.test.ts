import { describe, expect, it } from 'vitest'
import { costOf } from '../../src/agent/model/prices.ts'

const million = { input: 1_000_000, output: 1_000_000, cacheRead: 1_000_000, cacheWrite: 0 }

describe('the cost of a conversation', () => {
  it('is the list price of a day, and what the cache holds costs a tenth', () => {
    expect(costOf('anthropic/claude-sonnet-5-5', million, {})).toEqual({ dollars: 12.2, asOf: '2026-11-16' })
  })

  it('is unknown for a model without a known price, an alias too', () => {
    expect(costOf('openai/gpt-5.5', million, {})).toBeNull()
    expect(costOf('google/gemini-pro-latest', million, {})).toBeNull()
  })

  it('is what the person says with BECKON_MODEL_PRICE, and nothing on this machine', () => {
    expect(costOf('openai/gpt-5.5', million, { BECKON_MODEL_PRICE: '3/15' })).toEqual({ dollars: 18.3, asOf: null })
    expect(costOf('ollama/llama3', million, {})).toEqual({ dollars: 0, asOf: null })
  })
})
