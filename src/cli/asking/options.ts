import { type Command, Option } from 'commander'

/** The flags that `ask` and `need` have in common. */
export function addAskingOptions(command: Command): Command {
  return command
    .option('--optional', 'a person may skip it')
    .option('--timeout <duration>', 'a deadline, such as 90s, 15m, 1h30m; none unless given')
    .option('--key <key>', 'the same key and content is the same request, also later and after a crash')
    .option('--async', 'print the ticket and do not wait')
    .option('--cancel-on-exit', 'withdraw the request when this command ends without an outcome')
    .addOption(
      new Option('--no-human <what>', 'off a terminal: exit 69 and ask nothing, or wait and hand out a ticket').choices(
        ['fail', 'park'],
      ),
    )
    .option('--plain', 'a prompt in plain lines, also where somebody types into a pipe')
    .option('--json', 'print one JSON document')
}
