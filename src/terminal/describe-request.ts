import type { DependencyRequest, Request } from '../protocol/request.ts'
import { secretTypes } from '../protocol/status.ts'
import { harmless, harmlessLines, harmlessTitle } from '../text/harmless.ts'
import { type Line, line, type Style } from '../text/styled.ts'
import { chop, wrap } from '../text/wrap.ts'
import { renderMarkdown } from './markdown/markdown.ts'

// What a person reads before they decide: who asks, why, and for what. Everything the agent wrote is made harmless here.

/** Everything about a request but the questions themselves. */
export function about(request: Request, columns: number): Line[] {
  const { agent, context } = request
  const name = [agent.name, ...agent.path].map(harmlessTitle).join(' > ')
  const who: Line = [...line(name, 'bold'), ...line(` asks, in ${harmless(agent.cwd)}`, 'dim')]
  return [
    ...wrap(who, columns),
    ...(context ? [line(''), ...indented(renderMarkdown(context, columns - 2))] : []),
    ...particulars(request, columns),
  ]
}

const words: Record<DependencyRequest['type'], string> = {
  api_key: 'an API key',
  env_variable: 'the value of an environment variable',
  service: 'the address of a service',
  file: 'a file',
  permission: 'a permission',
  package: 'a package',
}

function particulars(request: Request, columns: number): Line[] {
  const text = (source: string, ...styles: Style[]) => paragraphs(source, columns, styles)
  switch (request.kind) {
    case 'question':
      return []
    case 'dependency': {
      const { type, name, description } = request
      const hidden = secretTypes.includes(type) ? ['What you enter is sealed, and not shown.'] : []
      return [
        line(''),
        ...text(`It needs ${words[type]}: ${harmlessTitle(name)}`, 'bold'),
        ...indented(paragraphs(description, columns - 2)),
        ...hidden.flatMap(note => text(note, 'dim')),
      ]
    }
    case 'approval': {
      const { command, cwd, severity, reasons, safer, starts = [], files = [] } = request.action
      const style: Style = ['high', 'critical'].includes(severity) ? 'red' : 'yellow'
      return [
        line(''),
        ...text(`It wants to run, in ${harmless(cwd)}:`, 'bold'),
        ...commandLines(command, columns),
        ...(starts.length > 0 ? text('Unwrapped and decoded, it starts:', 'dim') : []),
        ...starts.flatMap(one => commandLines(one, columns)),
        ...(files.length > 0
          ? text(`A yes holds for these files as they are now: ${files.map(harmless).join(', ')}`, 'dim')
          : []),
        ...text(`Danger: ${severity}`, style),
        ...reasons.flatMap(reason => [
          ...indented(paragraphs(harmlessTitle(reason.message), columns - 2, [style])),
          ...risky(command, reason.span, columns),
        ]),
        ...(safer ? text(`Safer: ${harmlessTitle(safer)}`, 'green') : []),
      ]
    }
    case 'review': {
      const { phase, title, files } = request
      const head =
        phase === null ? harmlessTitle(title) : `Phase ${harmlessTitle(String(phase))}: ${harmlessTitle(title)}`
      return [line(''), ...text(head, 'bold'), ...files.flatMap(file => wrap(line(`  ${harmless(file)}`), columns, 4))]
    }
  }
}

/** The part of the command that a reason is about; nothing where that is all of it. */
function risky(command: string, [from, to]: readonly [number, number], columns: number): Line[] {
  const part = harmlessTitle(command.slice(from, to))
  if (part === '' || part === harmlessTitle(command)) return []
  return indented(wrap([...line('> ', 'dim'), ...line(part, 'cyan')], columns - 4), '    ')
}

const severalLines = 2

/**
 * A command to the letter. Where a line is folded, the fold is marked, so that it cannot be taken for a line of its own;
 * empty lines are counted, so that they push nothing out of sight; every kind of space but the usual one shows.
 */
function commandLines(command: string, columns: number): Line[] {
  const lines = harmlessLines(command)
    .replaceAll(/[^\S \t\n]/g, space => `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('\t', '\\t')
    .split('\n')
  const shown = lines.flatMap((one, i) => {
    if (one.trim() !== '') return folded(one, columns)
    if (i > 0 && lines[i - 1]?.trim() === '') return []
    const next = lines.findIndex((other, at) => at > i && other.trim() !== '')
    const count = (next < 0 ? lines.length : next) - i
    return [line(`  (${count} empty ${count === 1 ? 'line' : 'lines'})`, 'dim')]
  })
  return lines.length < severalLines ? shown : [...shown, line(`  (${lines.length} lines in all)`, 'dim')]
}

function folded(one: string, columns: number): Line[] {
  return chop(line(one, 'cyan'), columns - 2).map((part, i) => [...line(i === 0 ? '  ' : '↪ ', 'dim'), ...part])
}

/** A text of the agent's with its own line breaks, folded where it is too wide. */
export function paragraphs(source: string, columns: number, styles: readonly Style[] = []): Line[] {
  return harmlessLines(source)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap(part => wrap(line(part, ...styles), columns))
}

export function indented(lines: readonly Line[], by = '  '): Line[] {
  return lines.map(one => (one.every(span => span.text === '') ? one : [...line(by), ...one]))
}
