import { createGitStateReader } from './git/git-state.ts'
import { isStrictSetting } from './guard-setting.ts'
import { isStrictProject } from './project-rules.ts'
import { type CommandContext, guardOptions } from './workspace.ts'

/** What the guard is told where its verdict counts: the surroundings, whether it is strict, and how git holds files. */
export function judgingOptions(context: CommandContext) {
  const { cwd, env } = context
  // Nobody can take back what a project demands.
  const strict = isStrictSetting(env) || isStrictProject(cwd)
  return { ...guardOptions(context), strict, gitState: createGitStateReader() }
}
