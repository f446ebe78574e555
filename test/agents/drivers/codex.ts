import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Driver, McpServer } from './driver.ts'

export const codex: Driver = {
  // Codex sends the tools of a server as a namespace.
  mcpTool: name => `mcp__beckon/${name}`,
  shellCall: command => ({ name: 'exec_command', input: { cmd: command } }),
  seed: () => {},
  prepare: ({ home }, { prompt, model, mcp, args, config }) => {
    const folder = join(home, '.codex')
    mkdirSync(folder, { recursive: true })
    const lines = [...(mcp ? server(mcp) : []), ...(typeof config === 'string' ? [config] : [])]
    // Else the file belongs to the test, or to `beckon setup`.
    if (lines.length > 0) writeFileSync(join(folder, 'config.toml'), `${lines.join('\n')}\n`)
    const settings = provider(model).flatMap(setting => ['-c', setting])
    return {
      args: ['exec', '--disable', 'plugins', '--skip-git-repo-check', ...settings, ...args, prompt],
      env: { CODEX_HOME: folder, SCRIPTED_MODEL_KEY: 'dummy' },
    }
  },
}

function provider(model: string): string[] {
  const settings = { name: 'scripted', base_url: `${model}/v1`, env_key: 'SCRIPTED_MODEL_KEY', wire_api: 'responses' }
  const table = Object.entries(settings).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return [
    'model="gpt-5"',
    'model_provider="scripted"',
    `model_providers.scripted={${table.join(',')}}`,
    'approval_policy="never"',
    'sandbox_mode="danger-full-access"',
    // A login shell would reset PATH.
    'allow_login_shell=false',
  ]
}

function server({ command, args, env, limit }: McpServer): string[] {
  return [
    '[mcp_servers.beckon]',
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    // Else Codex begins without a server that is not ready yet; its default is too short when ten agents start at once.
    'required = true',
    'startup_timeout_sec = 60',
    ...(limit ? [`tool_timeout_sec = ${limit / 1000}`] : []),
    '[mcp_servers.beckon.env]',
    ...Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
  ]
}
