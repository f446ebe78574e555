import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver, McpServer } from './driver.ts'

export const opencode: Driver = {
  mcpTool: name => `beckon_${name}`,
  shellCall: command => ({ name: 'bash', input: { command, description: 'Run a command' } }),
  seed: () => {},
  prepare: ({ cwd }, { prompt, model, mcp, args, config }) => {
    const settings = { ...(mcp ? { mcp: { beckon: server(mcp) } } : {}), ...(config as object | null) }
    // Else the file belongs to the test, or to `beckon setup`.
    if (mcp || config) writeFileSync(join(cwd, 'opencode.json'), JSON.stringify(settings))
    return {
      args: ['run', ...args, prompt],
      env: { ...offline, OPENCODE_CONFIG_CONTENT: JSON.stringify(basics(model)) },
    }
  },
}

const offline = {
  ...Object.fromEntries(
    ['AUTOUPDATE', 'MODELS_FETCH', 'DEFAULT_PLUGINS', 'LSP_DOWNLOAD'].map(name => [`OPENCODE_DISABLE_${name}`, '1']),
  ),
  // It would install a package for plugins at every first start, and does without when it cannot.
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_fetch_retries: '0',
}

function basics(model: string) {
  return {
    ...{ model: 'scripted/scripted', small_model: 'scripted/scripted', autoupdate: false, share: 'disabled' },
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${model}/v1`, apiKey: 'dummy' },
        models: { scripted: { tool_call: true, limit: { context: 100_000, output: 8_000 } } },
      },
    },
  }
}

function server({ command, args, env, limit }: McpServer) {
  return {
    type: 'local',
    command: [command, ...args],
    environment: env,
    enabled: true,
    ...(limit ? { timeout: limit } : {}),
  }
}
