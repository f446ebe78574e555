import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver, McpServer } from './driver.ts'

export const gemini: Driver = {
  mcpTool: name => `mcp_beckon_${name}`,
  shellCall: command => ({ name: 'run_shell_command', input: { command } }),
  seed: ({ home }) => {
    mkdirSync(join(home, '.gemini'), { recursive: true })
    writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(offline, null, 2))
  },
  prepare: ({ home }, { prompt, model, mcp, args, config }) => {
    const file = join(home, '.gemini/settings.json')
    const more = { ...(mcp ? { mcpServers: { beckon: server(mcp) } } : {}), ...(config as object | null) }
    if (mcp || config) writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...more }))
    return {
      args: ['--yolo', '-m', 'gemini-2.5-pro', ...args, '-p', prompt],
      env: { GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: model, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    }
  },
}

const offline = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
}

function server({ command, args, env, limit }: McpServer) {
  return { command, args, env, trust: true, ...(limit ? { timeout: limit } : {}) }
}
