import type { Edited } from '../protocol/answer.ts'
import type { Verdict } from '../protocol/verdict.ts'
import { editText } from '../rules/action-text.ts'
import { harmlessTitle } from '../text/harmless.ts'
import { type Line, line, type Style } from '../text/styled.ts'
import { wrap } from '../text/wrap.ts'
import { commandLines } from './describe-request.ts'
import { indented, paragraphs } from './paragraphs.ts'

/** A person's version of an action, and what the guard says about it. */
export interface JudgedEdit {
  readonly edited: Edited
  readonly verdict: Verdict
}

/** A person's version of a command, and what the guard says about it. */
export function verdictLines({ edited, verdict }: JudgedEdit, columns: number): Line[] {
  return [
    line(''),
    ...wrap(line('Your version:', 'bold'), columns),
    ...commandLines(editText(edited), columns),
    ...guardLines(verdict, columns),
  ]
}

export function isDangerous({ severity }: Pick<Verdict, 'severity'>): boolean {
  return severity === 'high' || severity === 'critical'
}

function guardLines({ severity, reasons, safer }: Verdict, columns: number): Line[] {
  if (severity === 'none') return wrap(line('The guard has no objection.', 'green'), columns)
  const style: Style = isDangerous({ severity }) ? 'red' : 'yellow'
  return [
    ...wrap(line(`Danger: ${severity}`, style), columns),
    ...reasons.flatMap(({ message }) => indented(paragraphs(harmlessTitle(message), columns - 2, [style]))),
    ...(safer ? wrap(line(`Safer: ${harmlessTitle(safer)}`, 'green'), columns) : []),
  ]
}
