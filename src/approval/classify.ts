import type { ReadGitState } from '../guard/git-state.ts'
import type { ReadFile, Segment } from '../guard/index.ts'
import type { Verdict } from '../protocol/verdict.ts'
import type { CommandContext } from './workspace.ts'

interface ClassifyOptions extends CommandContext {
  readonly workspace: string
  readonly home: string
  readonly shell?: string
  /** Opens the scripts of the workspace that the command runs. */
  readonly readFile?: ReadFile
  readonly strict?: boolean
  readonly gitState?: ReadGitState
}

/** The guard, for those who are given one: a program may bring its own. */
export type Classify = (
  command: string,
  options: ClassifyOptions,
) => Verdict & { readonly segments?: readonly Segment[]; readonly looked?: readonly string[] }
