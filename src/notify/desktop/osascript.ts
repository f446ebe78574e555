import type { Notification } from './notification.ts'
import type { RunProgram } from './run-program.ts'

// The texts are arguments of the script and never part of it.
const script = `on run argv
  display notification (item 3 of argv) with title (item 1 of argv) subtitle (item 2 of argv)
end run
`

/** macOS. It cannot replace a notification. */
export async function osascript({ title, lines }: Notification, run: RunProgram): Promise<null> {
  const [first = '', ...rest] = lines
  // After "-", which stands for a script from stdin, nothing is an option.
  await run({ program: 'osascript', args: ['-', title, first, rest.join('\n')], input: script })
  return null
}
