import type { SlashCommand } from './command.ts'

/** What the keys of the input box do, as in docs/agent.md. */
const keys: readonly (readonly [key: string, does: string])[] = [
  ['Enter', 'send; while it works, queue'],
  ['Alt-Enter, Ctrl-J', 'start a new line'],
  ['Up, Down', 'earlier messages; Up in an empty box takes a queued message back'],
  ['Esc', 'stop the turn'],
  ['Ctrl-C', 'stop the turn, or clear the box; twice leaves'],
  ['Ctrl-D', 'leave'],
  ['Ctrl-Z', 'suspend'],
  ['Ctrl-R', 'search earlier messages'],
  ['Ctrl-G', 'write in $VISUAL or $EDITOR'],
  ['Ctrl-O', 'open the last output in $PAGER'],
  ['/', 'list the commands'],
  ['@', 'name a file of the project'],
  ['!', 'run a command of your own, such as !git status'],
]

/** One line for each command and, where the box has keys of its own, for each key. */
export function listCommands(commands: readonly SlashCommand[], isPlain: boolean): string {
  const rows = commands.map(({ name, usage, summary, key }) => [
    usage ? `${name} ${usage}` : name,
    key && (key.isPlainToo || !isPlain) ? `${summary} (${key.name})` : summary,
  ])
  const width = Math.max(...[...rows, ...keys].map(([name = '']) => name.length))
  const inColumns = (given: readonly (readonly string[])[]) =>
    given.map(([name = '', what = '']) => `${name.padEnd(width)}  ${what}`)
  return [...inColumns(rows), ...(isPlain ? [] : ['', ...inColumns(keys)])].join('\n')
}
