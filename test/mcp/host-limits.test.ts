import { expect, it } from 'vitest'
import { hostLimit } from '../../src/mcp/host-limits.ts'

const seconds = (client: string | null, hasProgress = false, env = {}, wait: number | null = null) =>
  hostLimit({ wait, env }, client, hasProgress) / 1_000

it('stays below what each host was seen to allow', () => {
  expect(seconds('claude-code')).toBeLessThan(400)
  expect(seconds('codex-mcp-client')).toBeLessThan(300)
  expect(seconds('codex-mcp-client', true)).toBeLessThan(300)
  expect(seconds('opencode')).toBeLessThan(60)
  expect(seconds('opencode', true)).toBeGreaterThan(60)
  expect(seconds('gemini-cli-mcp-client')).toBeLessThan(150)
  expect(seconds('somebody', true)).toBe(45)
  expect(seconds(null)).toBe(45)
})

it('goes by --wait, then by MCP_TOOL_TIMEOUT, with time to spare', () => {
  expect(seconds('codex', false, { MCP_TOOL_TIMEOUT: '12000' }, 7_000)).toBe(7)
  expect(seconds('claude-code', true, { MCP_TOOL_TIMEOUT: '12000' })).toBe(9)
  expect(seconds('claude-code', false, { MCP_TOOL_TIMEOUT: '1000' })).toBe(0.5)
  expect(seconds('claude-code', false, { MCP_TOOL_TIMEOUT: '100000000' })).toBe(80_000)
  for (const nonsense of ['', '0', 'soon', '-5']) {
    expect(seconds('somebody', false, { MCP_TOOL_TIMEOUT: nonsense })).toBe(45)
  }
})
