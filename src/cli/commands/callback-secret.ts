import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { withHub } from '../with-hub.ts'

export function registerCallbackSecret(program: Command, context: Context): void {
  program
    .command('callback-secret')
    .summary('Print the secret that signs callbacks')
    .description(
      'Prints the secret that signs what is sent to --callback-url: of BECKON_TOKEN, or of this user without a server.',
    )
    .option('--json', 'print { "secret" }')
    .addHelpText('after', help)
    .action(async (options: { json?: boolean }) => {
      const secret = await withHub(context, hub => hub.callbacks.secret(), { sweeps: false })
      if (options.json) await printJson(context.stdout, { secret })
      else await print(context.stdout, `${secret}\n`)
      context.exitCode = exitCodes.fine
    })
}

const help = `
It stays the same for the life of a token. Give it to the function that is called, and check the signature there.

Examples:
  BECKON_URL=https://beckon.example.com BECKON_TOKEN=beckon_ask_… beckon callback-secret`
