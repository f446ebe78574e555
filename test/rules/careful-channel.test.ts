import { describe, expect, it } from 'vitest'
import { mayApprove } from '../../src/rules/careful-channel.ts'

describe('who may say yes', () => {
  it('to a critical action is a person at a terminal or on the web', () => {
    const channels = ['terminal', 'web', 'cli', 'http', 'mcp', 'file', 'rule', 'policy', '']
    expect(channels.filter(channel => mayApprove('critical', channel))).toEqual(['terminal', 'web'])
  })

  it('to any other action is a person on every channel', () => {
    for (const severity of ['none', 'low', 'medium', 'high'] as const) expect(mayApprove(severity, 'http')).toBe(true)
  })
})
