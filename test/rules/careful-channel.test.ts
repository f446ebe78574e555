import { describe, expect, it } from 'vitest'
import { mayApprove } from '../../src/rules/careful-channel.ts'

describe('mayApprove', () => {
  it('allows a yes to a critical action only at a terminal or on the web', () => {
    const channels = ['terminal', 'web', 'cli', 'http', 'mcp', 'file', 'rule', 'policy', '']
    expect(channels.filter(channel => mayApprove('critical', channel))).toEqual(['terminal', 'web'])
  })

  it('allows a yes to any other action on every channel', () => {
    for (const severity of ['none', 'low', 'medium', 'high'] as const) expect(mayApprove(severity, 'http')).toBe(true)
  })
})
