import type { Agent, AgentListener } from './agent.ts'
import { startWithPipes } from './agent-pipes.ts'
import { startWithTerminal } from './agent-pty.ts'
import type { HolderSpec } from './spec.ts'

/** Starts the agent in a session of its own, so that it can be stopped with all of its children. */
export function startAgent(spec: HolderSpec, listener: AgentListener): Agent {
  return spec.pty ? startWithTerminal(spec, spec.pty, listener) : startWithPipes(spec, listener)
}
