import { type Command, Option } from 'commander'

/** The flags that `ask` and `need` have in common. */
export function addAskingOptions(command: Command): Command {
  return command
    .option('--optional', 'let the person skip it')
    .option('--timeout <duration>', 'a deadline, such as 90s, 15m or 1h30m (default: none)')
    .option('--key <key>', 'makes repeating the command safe: the same key and content is the same request')
    .option('--wait <duration>', 'off a terminal, how long to wait before exit code 75 (default: BECKON_WAIT, or 100s)')
    .option('--async', 'print the ticket and do not wait')
    .option('--cancel-on-exit', 'withdraw the request if this command ends before it is settled')
    .addOption(
      new Option('--no-human <what>', 'off a terminal: fail with exit code 69, or wait and print a ticket').choices([
        'fail',
        'park',
      ]),
    )
    .option('--plain', 'prompt in plain lines, also when stdin is a pipe')
    .option('--json', 'print one JSON document')
}
