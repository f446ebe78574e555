import { projectOf } from '../../../src/rules/asker.ts'
import { titleText } from './untrusted-text.tsx'

/** A directory by its last name; with the one before it where two projects share that name. */
export function projectNames(directories: readonly string[]): (directory: string) => string {
  const count = new Map<string, number>()
  for (const directory of directories) count.set(projectOf(directory), (count.get(projectOf(directory)) ?? 0) + 1)
  return directory => {
    const name = projectOf(directory)
    const parts = directory.split(/[/\\]+/).filter(Boolean)
    return titleText((count.get(name) ?? 0) > 1 && parts.length > 1 ? parts.slice(-2).join('/') : name, 60)
  }
}
