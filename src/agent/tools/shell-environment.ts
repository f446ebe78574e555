import { withoutStartupFiles } from '../../approval/environment.ts'
import { modelKeys } from '../model/choose.ts'

// They answer requests, open sealed values, or pay for the model: commands that a model wrote do not get them.
const withheld = ['BECKON_TOKEN', 'BECKON_KEY', 'BECKON_ANSWERS', ...modelKeys]

/** For commands, when they are judged and when they run, and for MCP servers. */
export function shellEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(withoutStartupFiles(env)).filter(([name]) => !withheld.includes(name))
  return { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: '0', PAGER: 'cat', GIT_PAGER: 'cat' }
}
