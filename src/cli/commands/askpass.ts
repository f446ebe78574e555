import type { Command } from 'commander'
import { askForProgram } from '../askpass/ask-for-program.ts'
import type { Context } from '../context.ts'

export function registerAskpass(program: Command, context: Context): void {
  program
    .command('askpass')
    .summary('Ask for a password for sudo, ssh or git')
    .description(
      'Asks a person for what a program prompts for, and prints the answer for that program alone. Set SUDO_ASKPASS, SSH_ASKPASS or GIT_ASKPASS to beckon-askpass, which is this command as a program of its own.',
    )
    .argument('[prompt...]', 'what the program asks')
    .addHelpText('after', help)
    .action(async (prompt: string[]) => {
      context.exitCode = await askForProgram(context, prompt.join(' '))
    })
}

const help = `
It waits as long as the program waits, and withdraws the request when the program ends. A password is sealed, handed over
once and deleted. A user name and a yes or no, such as for the key of a new host, are asked as questions.

Examples:
  beckon askpass "Passphrase for the backup: "
  export SUDO_ASKPASS="$(command -v beckon-askpass)"              # then: sudo -A apt-get update
  export SSH_ASKPASS=beckon-askpass SSH_ASKPASS_REQUIRE=force     # then: ssh, scp, git push over ssh
  export GIT_ASKPASS=beckon-askpass                               # then: git push over https

Exit codes:
  0   answered; the answer is on stdout          12  expired
  1   bad input, or a no to a confirmation       13  withdrawn, or the program that asked has ended
  10  declined                                   74  the hub cannot be reached or written`
