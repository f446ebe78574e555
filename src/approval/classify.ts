import type { ReadGitState } from '../guard/git-state.ts'
import type { Segment } from '../guard/index.ts'
import type { Verdict } from '../protocol/verdict.ts'
import type { CommandContext } from './workspace.ts'

interface ClassifyOptions extends CommandContext {
  readonly workspace: string
  readonly home: string
  readonly shell?: string
  readonly strict?: boolean
  readonly gitState?: ReadGitState
}

/** The guard, for those who are given one: a program may bring its own. */
export type Classify = (
  command: string,
  options: ClassifyOptions,
) => Verdict & { readonly segments?: readonly Segment[] }
