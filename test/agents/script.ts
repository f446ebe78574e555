import { repliesIn, resultsIn, type Script } from '../agent/model-server.ts'
import type { ScriptedReply } from '../agent/wires/wire.ts'
import type { Driver } from './drivers/driver.ts'

/** One reply of the model: what it says or calls, given what it has seen. */
export type Turn = (step: Step) => ScriptedReply

interface Step {
  /** The texts of all tool results so far. */
  results: string[]
  /** Calls a tool of Beckon's MCP server, by the name that this agent gives it. */
  mcp(tool: string, input: object): ScriptedReply
  /** Runs a shell command with the agent's own tool. */
  shell(command: string): ScriptedReply
  /** Calls any other tool of the agent. */
  tool(name: string, input: object): ScriptedReply
}

/**
 * The n-th reply in a conversation is the n-th turn, also when the conversation is resumed; after the last one the model
 * says "Done." A request without tools is one of the agent's own, such as for a title.
 */
export function scriptOf(driver: Driver, turns: readonly Turn[], onMissing: (tool: string) => void = () => {}): Script {
  return seen => {
    if (seen.tools.length === 0) return { text: 'A title' }
    const turn = turns[repliesIn(seen)]
    if (!turn) return { text: 'Done.' }
    const tool = (name: string, input: object) => {
      if (!seen.tools.includes(name)) onMissing(name)
      return { calls: [{ name, input }] }
    }
    return turn({
      results: resultsIn(seen),
      mcp: (name, input) => tool(driver.mcpTool(name), input),
      shell: command => ({ calls: [driver.shellCall(command)] }),
      tool,
    })
  }
}
