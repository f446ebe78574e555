import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver, McpServer, Place, Start } from './driver.ts'

export const claude: Driver = {
  mcpTool: name => `mcp__beckon__${name}`,
  shellCall: command => ({ name: 'Bash', input: { command, description: 'Run a command' } }),
  seed: skipFirstQuestions,
  prepare: (place, start) => {
    const { args, env } = prepareClaude(place, start)
    return { args: ['-p', start.prompt, ...args], env }
  },
}

/** What `claude -p` and the terminal have in common. */
export function prepareClaude({ home }: Place, { model, mcp, args, config }: Start) {
  mkdirSync(join(home, '.claude'), { recursive: true })
  if (config) writeFileSync(join(home, '.claude/settings.json'), JSON.stringify(config))
  const env = {
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    ...(mcp?.limit ? { MCP_TOOL_TIMEOUT: String(mcp.limit) } : {}),
  }
  return { args: [...(mcp ? mcpArguments(home, mcp) : []), ...args], env }
}

/** The welcome, the theme, the key and the trust in the folder. */
function skipFirstQuestions({ home, cwd }: Place) {
  const state = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['dummy'], rejected: [] },
    projects: { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  }
  writeFileSync(join(home, '.claude.json'), JSON.stringify(state))
}

function mcpArguments(home: string, { command, args, env }: McpServer): string[] {
  const file = join(home, 'mcp.json')
  writeFileSync(file, JSON.stringify({ mcpServers: { beckon: { command, args, env } } }))
  return ['--mcp-config', file, '--strict-mcp-config', '--allowedTools', 'mcp__beckon']
}
