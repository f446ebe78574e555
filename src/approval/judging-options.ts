import { createGitStateReader } from './git/git-state.ts'
import { isStrictSetting } from './guard-setting.ts'
import { isStrictProject } from './project-rules.ts'
import { type CommandContext, guardOptions, lookingOptions } from './workspace.ts'

/** What the guard is told where its verdict counts: the surroundings, whether it is strict, how git holds files, and how to open scripts. */
export function judgingOptions(context: CommandContext, { look = true } = {}) {
  const { cwd, env } = context
  // Nobody can take back what a project demands.
  const strict = isStrictSetting(env) || isStrictProject(cwd)
  return { ...(look ? lookingOptions(context) : guardOptions(context)), strict, gitState: createGitStateReader() }
}
