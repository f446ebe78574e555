import type { Command } from 'commander'
import type { BeckonError } from '../protocol/errors.ts'
import { notForAgents } from '../system/agent-context.ts'
import { agentContext } from './agent-context.ts'
import { commandNamed, fullName } from './command-named.ts'
import type { Context } from './context.ts'
import { isHelp } from './output/errors.ts'

/**
 * Who may run a command. `person`: it settles, grants, deletes, reveals or undoes a person's decision, and is refused in
 * agent context. `own-run`: the same, but an agent may run it on the run that it works in. `agent` (agents ask with it,
 * and so do people's scripts) and `anyone` are never refused.
 */
export type Audience = 'person' | 'own-run' | 'agent' | 'anyone'

/**
 * Refuses commands for people in agent context. Commander resolves the command first; before it checks the arguments, the
 * command is closed: it can still print its help, and everything else that it comes to is the refusal. What is help and
 * what is the value of an option is commander's decision.
 */
export function enforceAudience(program: Command, context: Context, audienceOf: (command: Command) => Audience): void {
  close(program)
  for (const parent of commandsWithSubcommands(program)) parent.hook('preSubcommand', (_, command) => close(command))
  program.hook('preAction', (_, command) => {
    const refusal = refusalOf(command)
    if (refusal) throw refusal
  })

  /** Replaces what commander says about wrong arguments. */
  function close(command: Command): void {
    command.exitOverride(error => {
      if (isHelp(error)) throw error
      // An option before the name of a command keeps commander from resolving it; the words still say which was meant.
      throw refusalOf(commandNamed(program, program.args)) ?? refusalOf(command) ?? error
    })
  }

  function refusalOf(command: Command): BeckonError | null {
    const audience = audienceOf(command)
    if (audience === 'agent' || audience === 'anyone') return null
    const agent = agentContext(context)
    if (agent.marker === null) return null
    if (audience === 'own-run' && command.args[0] === agent.run) return null
    return notForAgents(fullName(command), agent)
  }
}

function commandsWithSubcommands(command: Command): Command[] {
  return command.commands.length === 0 ? [] : [command, ...command.commands.flatMap(commandsWithSubcommands)]
}
