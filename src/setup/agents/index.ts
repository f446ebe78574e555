import type { Agent } from './agent.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'

export const agents: readonly Agent[] = [claude, codex, opencode, gemini]

export function agentNamed(name: string): Agent | undefined {
  return agents.find(agent => agent.name === name)
}
