import { classify } from '../../src/guard/index.ts'

/** Where every command of these tests runs. */
export const project = { cwd: '/home/me/project', workspace: '/home/me/project', home: '/home/me' }

export function classifyInProject(command: string) {
  return classify(command, project)
}

export function rulesOf(command: string): string[] {
  return classifyInProject(command).reasons.map(({ rule }) => rule)
}
