import type { Explanation, Step } from '../../protocol/verdict.ts'
import { paint } from '../../terminal/paint.ts'
import { hasColour } from '../../terminal/terminal.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { quoteWords } from '../../text/quote-words.ts'
import { type Line, line, type Style } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import type { Context } from '../context.ts'

/** Each program that would start, where, inside what, and which rule said what; wrapped to the width of the terminal. */
export function formatExplanation(
  { steps, omitted }: Explanation,
  { stdout, env }: Pick<Context, 'stdout' | 'env'>,
): string {
  const { isTTY, columns } = stdout
  const colour = hasColour({ output: stdout, env })
  const room = isTTY && columns ? columns : Number.POSITIVE_INFINITY
  const numbers = `${steps.length}. `.length
  const lines = steps.flatMap((step, i) => [line(''), ...linesOf(step, i + 1, numbers, room)])
  const more = omitted > 0 ? [line(''), line(`… and ${omitted} more.`)] : []
  const head = steps.length === 0 ? 'It starts nothing.' : 'It would start:'
  return `${[line(head), ...lines, ...more].map(one => paint(one, colour).trimEnd()).join('\n')}\n`
}

function linesOf(step: Step, number: number, indent: number, columns: number): Line[] {
  const { verdict, severity, reasons } = step
  const before = `${number}.`.padEnd(indent)
  const hanging = before.length
  const space = ' '.repeat(hanging)
  const style: Style = verdict === 'allow' ? 'green' : ['high', 'critical'].includes(severity) ? 'red' : 'yellow'
  return [
    ...wrap([...line(before, 'dim'), ...line(commandOf(step), 'bold')], columns, hanging + 2),
    ...wrap(line(`${space}${placeOf(step)}`, 'dim'), columns, hanging),
    ...(reasons.length === 0 ? [line(`${space}allow`, style)] : []),
    ...reasons.flatMap(({ rule, message }) =>
      wrap(line(`${space}${verdict} (${severity})  ${rule}: ${harmlessTitle(message)}`, style), columns, hanging + 2),
    ),
  ]
}

/** A redirect is shown as it is written. */
function commandOf({ argv: [program = '', ...args] }: Step): string {
  return harmlessTitle(/^(<|>|>>)$/.test(program) ? `${program} ${quoteWords(args)}` : quoteWords([program, ...args]))
}

function placeOf({ cwd, via, root, remote }: Step): string {
  const folder = cwd === null ? 'in a folder that is known only at run time' : `in ${harmlessTitle(cwd)}`
  return [
    remote && cwd === null ? 'on another machine or in a container' : folder,
    ...(via.length > 0 ? [`inside ${via.map(harmlessTitle).join(' > ')}`] : []),
    ...(root ? ['as root'] : []),
  ].join(', ')
}
