import type { Tool } from './tools/tool.ts'
import { inputSchema } from './tools/tool.ts'

export interface ToolDescription {
  readonly name: string
  readonly description: string
  readonly schema: Record<string, unknown>
}

/** The tools of an agent: its own, and those of the MCP servers that run. */
export class Toolbox {
  readonly #own: readonly Tool[]
  #further: readonly Tool[] = []
  #tools = new Map<string, Tool>()
  descriptions: readonly ToolDescription[] = []

  constructor(own: readonly Tool[]) {
    this.#own = own
    this.#update()
  }

  /** True where they are others than before. */
  setFurther(tools: readonly Tool[]): boolean {
    if (tools === this.#further) return false
    this.#further = tools
    this.#update()
    return true
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name)
  }

  names(): string[] {
    return [...this.#tools.keys()]
  }

  #update(): void {
    const all = [...this.#own, ...this.#further]
    this.#tools = new Map(all.map(tool => [tool.name, tool]))
    this.descriptions = all.map(tool => {
      return { name: tool.name, description: tool.description.trim(), schema: inputSchema(tool) }
    })
  }
}
