import { classify } from '../../src/guard/index.ts'

/** Where every command of these tests would run. */
export const place = { cwd: '/home/me/project', workspace: '/home/me/project', home: '/home/me' }

export function judge(command: string) {
  return classify(command, place)
}

export function rulesOf(command: string): string[] {
  return judge(command).reasons.map(({ rule }) => rule)
}
