import { classify } from '../../src/guard/index.ts'
import { project } from './classify-in-project.ts'

/** The texts of a project's files, by path in the project. */
export type Files = Readonly<Record<string, string>>

/** The verdict on a command in a project that has these files, and what was opened. */
export function look(files: Files, command: string) {
  const opened: string[] = []
  const { verdict, severity, reasons, safer, looked, segments, segmentsInFiles } = classify(command, {
    ...project,
    readFile: path => {
      const text = files[path.replace(`${project.workspace}/`, '')]
      if (text === undefined) return { unread: 'missing' }
      opened.push(path)
      return { text }
    },
  })
  return { verdict, severity, reasons, safer, looked, segments, segmentsInFiles, opened }
}

/** What a person reads. */
export function messages(files: Files, command: string): string[] {
  return look(files, command).reasons.map(({ message }) => message)
}
