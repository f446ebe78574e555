import type { Plan } from '../../approval/plan.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { printJson } from '../output/print-json.ts'

/** The guard or a person's rule refuses this, no matter who would approve it: nothing runs, and nobody is asked. */
export async function refuse({ stdout, stderr }: Context, { command, decision }: Plan, json: boolean): Promise<number> {
  const { verdict, severity, reasons, safer } = decision
  const why = reasons.map(({ message, rule }) => `${harmlessTitle(message)} (${rule})`).join('; ')
  stderr.write(`beckon: not run: ${why}${safer ? `. Safer: ${harmlessTitle(safer)}` : ''}\n`)
  if (json)
    await printJson(stdout, { id: null, status: 'denied', verdict, severity, reasons, safer, command, exitCode: null })
  return exitCodes.declined
}
