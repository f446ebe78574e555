import type { ClassifyOptions } from '../../src/guard/classify.ts'
import { classify } from '../../src/guard/index.ts'

/** Where every command of these tests runs. */
export const project = { cwd: '/home/me/project', workspace: '/home/me/project', home: '/home/me' }

export function classifyInProject(command: string, facts: ClassifyOptions = {}) {
  return classify(command, { ...project, ...facts })
}

export function rulesOf(command: string, facts: ClassifyOptions = {}): string[] {
  return classifyInProject(command, facts).reasons.map(({ rule }) => rule)
}
