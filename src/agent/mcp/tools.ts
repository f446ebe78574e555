import * as z from 'zod'
import type { Json } from '../../protocol/canonical-json.ts'
import type { WorkTool } from '../tools/tool.ts'
import type { ConfiguredServer } from './config.ts'
import type { McpConnection, OfferedTool } from './connection.ts'
import { resultText } from './result-text.ts'

const maxDescription = 2_000
// The longest name that every provider takes.
const maxName = 64

const anyObject = z.record(z.string(), z.unknown()).default({})
type Input = z.output<typeof anyObject>

/**
 * A tool of an MCP server, as `mcp__server__tool`. Nobody knows what it does, so a person approves each call; not where it
 * only reads, as its server says, and the user allows that in their own mcp.json.
 */
export function mcpTool(server: ConfiguredServer, connection: McpConnection, offered: OfferedTool): WorkTool<Input> {
  const name = toolName(server.name, offered.name)
  const isFree = offered.readOnly && server.allowReadOnly
  return {
    kind: 'work',
    name,
    description: offered.description.slice(0, maxDescription).toWellFormed(),
    schema: anyObject,
    jsonSchema: offered.schema,
    effect: offered.readOnly ? 'none' : 'once',
    title: input => (Object.keys(input).length === 0 ? '' : JSON.stringify(input)),

    judge(input, { cwd }) {
      if (isFree) return null
      const what = offered.readOnly ? ', which says that it only reads' : ''
      return {
        action: { tool: name, input: input as Json, cwd },
        verdict: 'ask',
        severity: offered.readOnly ? 'low' : 'medium',
        reasons: [
          { rule: 'agent.mcp-tool', message: `A tool of the MCP server "${server.name}"${what}`, span: [0, 0] },
        ],
        safer: null,
      }
    },

    async run(input, { signal, onOutput, outputFile }) {
      const result = await connection.call(offered.name, input, signal, onOutput)
      return { output: resultText(result, outputFile), failed: result.isError === true }
    },
  }
}

function toolName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`.replaceAll(/[^\w-]/g, '_').slice(0, maxName)
}
