import { hookCommand } from '../../src/setup/hook-command.ts'
import { launcher } from '../cli/sandbox.ts'

/** Claude's settings with every hook, as `beckon setup` installs them. */
export function hookSettings(home: string, args: string[] = []) {
  const command = hookCommand({
    agent: 'claude',
    node: process.execPath,
    beckon: launcher,
    env: { BECKON_HOME: home },
    args,
  })
  const hook = { type: 'command', command, timeout: 600 }
  const blocking = { ...hook, onFailure: 'block' }
  return {
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [blocking] }],
      PermissionRequest: [{ matcher: '*', hooks: [blocking] }],
      PostToolUse: [{ matcher: '*', hooks: [hook] }],
      PostToolUseFailure: [{ matcher: '*', hooks: [hook] }],
      Elicitation: [{ hooks: [blocking] }],
      Stop: [{ hooks: [hook] }],
    },
  }
}
