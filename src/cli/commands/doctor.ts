import type { Command } from 'commander'
import { harmless } from '../../text/harmless.ts'
import { pad } from '../../text/width.ts'
import type { Context } from '../context.ts'
import { runChecks } from '../doctor/checks.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'

export function registerDoctor(program: Command, context: Context): void {
  program
    .command('doctor')
    .summary('Check the installation')
    .description(
      'Checks the database, its folder, the sealing key and this machine. Exits 0 when everything is fine, else 1.',
    )
    .option('--json', 'print { "fine", "findings": [ { "what", "finding", "fine" } ] }')
    .addHelpText('after', '\nExamples:\n  beckon doctor\n  beckon doctor --json | jq .findings')
    .action(async (options: { json?: boolean }) => {
      context.exitCode = await doctor(context, options.json ?? false)
    })
}

async function doctor(context: Context, json: boolean): Promise<number> {
  const findings = await runChecks(context)
  const fine = findings.every(finding => finding.fine)
  if (json) {
    await printJson(context.stdout, { fine, findings })
  } else {
    const lines = findings.map(
      ({ what, finding, fine, warns }) =>
        `${fine ? (warns ? 'warn' : 'ok  ') : 'BAD '} ${pad(what, 15)} ${harmless(finding)}\n`,
    )
    await print(context.stdout, lines.join(''))
  }
  return fine ? exitCodes.fine : exitCodes.invalid
}
