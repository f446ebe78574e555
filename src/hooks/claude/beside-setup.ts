import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOrNull } from '../../system/machine-fault.ts'
import { userHome } from '../../system/user-home.ts'
import type { HookHost } from '../hook.ts'

/**
 * Whether this is the hook of the plugin and `beckon setup claude` has installed the same hooks: those ask, so that one dialog
 * is one request. Only for hooks that race with a dialog: without them, it is still there.
 */
export function leavesToSetup({ env }: HookHost): boolean {
  if (!env.CLAUDE_PLUGIN_ROOT) return false
  const home = env.CLAUDE_CONFIG_DIR || join(env.HOME || userHome() || '/', '.claude')
  const project = join(env.CLAUDE_PROJECT_DIR || '.', '.claude')
  const files = [join(home, 'settings.json'), join(project, 'settings.json'), join(project, 'settings.local.json')]
  return files.some(file => readOrNull(() => readFileSync(file, 'utf8'))?.includes('beckon-hook'))
}
