import type { Complete } from '../../../terminal/conversation/menu.ts'
import { slashCommands } from '../slash/commands.ts'
import { findFiles } from './find-files.ts'
import { openProjectFiles } from './project-files.ts'

/** `/` at the start lists the commands, `@` the files of the project. `onFiles` is called when these become known. */
export function createCompleter(cwd: string, onFiles: () => void): Complete {
  const files = openProjectFiles(cwd, onFiles)
  return before => {
    if (/^\/\S*$/.test(before)) return { length: before.length, items: commandsLike(before) }
    const [word] = /(?<!\S)@[^\s"]*$/.exec(before) ?? []
    if (word === undefined) return null
    return { length: word.length, items: findFiles(files.list(), word.slice(1)).map(path => ({ text: mention(path) })) }
  }
}

function commandsLike(typed: string) {
  const named = slashCommands.filter(({ name, aliases = [] }) => [name, ...aliases].some(one => one.startsWith(typed)))
  return named.map(({ name, usage, summary, key }) => {
    // A command that needs more is not sent yet.
    const needsMore = usage !== undefined && !usage.startsWith('[')
    return {
      text: needsMore ? `${name} ` : name,
      detail: key ? `${summary} (${key.name})` : summary,
      isWhole: !needsMore,
    }
  })
}

function mention(path: string): string {
  return /\s/.test(path) ? `@"${path}" ` : `@${path} `
}
