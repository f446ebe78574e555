import { estimateTokens } from './context/tokens.ts'
import type { AgentOptions } from './options.ts'
import { ProjectInstructions, type ReadInstructions } from './project/instructions.ts'
import { instructionsFor, planInstructionsFor } from './prompt.ts'
import type { EventWithoutPath } from './tool-context.ts'
import type { ToolDescription } from './toolbox.ts'

type Settings = Required<Pick<AgentOptions, 'mode' | 'path' | 'maxContextTokens' | 'now'>> &
  Pick<AgentOptions, 'home' | 'cwd'>

/** What the model reads with every request before the conversation: our instructions, those of the project, and the plan mode. */
export class SystemPrompt {
  readonly #path: readonly string[]
  readonly #own: string
  readonly #project: ProjectInstructions | null
  readonly #isPlanning: () => boolean
  /** Its size together with the descriptions of the tools. */
  tokens = 0

  constructor({ mode, cwd, path, home, maxContextTokens, now }: Settings, isPlanning: () => boolean) {
    this.#path = path
    this.#own = instructionsFor({ mode, cwd, path, today: new Date(now()).toISOString().slice(0, 10) })
    this.#project = mode === 'chat' ? null : new ProjectInstructions(home, cwd, maxContextTokens)
    this.#isPlanning = isPlanning
  }

  get text(): string {
    return [this.withoutProject, this.project].filter(Boolean).join('\n\n')
  }

  get withoutProject(): string {
    const plan = this.#isPlanning() ? planInstructionsFor(this.#path) : ''
    return [this.#own, plan].filter(Boolean).join('\n\n')
  }

  /** What the project tells every agent. */
  get project(): string {
    return this.#project?.text ?? ''
  }

  /** The files of instructions that are in it. */
  get files(): readonly ReadInstructions[] {
    return this.#project?.files ?? []
  }

  /** Reads the project's instructions again where they have changed. A sub-agent reads the same as its parent. */
  refresh(tools: readonly ToolDescription[], emit: (event: EventWithoutPath) => void): void {
    const project = this.#project
    const isNew = project?.refresh() ?? false
    if (isNew || this.tokens === 0) this.count(tools)
    if (isNew && project && this.#path.length === 1)
      emit({ type: 'instructions', files: project.files, left: project.left })
  }

  count(tools: readonly ToolDescription[]): void {
    this.tokens = estimateTokens(this.text) + estimateTokens(JSON.stringify(tools))
  }
}
