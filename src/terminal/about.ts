import type { DependencyRequest, Request } from '../protocol/request.ts'
import { secretTypes } from '../protocol/status.ts'
import { harmless, harmlessLines, harmlessTitle } from './harmless.ts'
import { renderMarkdown } from './markdown.ts'
import { type Line, type Look, line, wrap } from './text.ts'

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
  const text = (source: string, ...looks: Look[]) => paragraphs(source, columns, looks)
  switch (request.kind) {
    case 'question':
      return []
    case 'dependency': {
      const { type, name, description } = request
      const hidden = secretTypes.includes(type) ? ['What you enter is sealed, and not shown.'] : []
      return [
        line(''),
        ...text(`It needs ${words[type]}: ${name}`, 'bold'),
        ...indented(paragraphs(description, columns - 2)),
        ...hidden.flatMap(note => text(note, 'dim')),
      ]
    }
    case 'approval': {
      const { command, cwd, severity, reasons, safer } = request.action
      const look: Look = ['high', 'critical'].includes(severity) ? 'red' : 'yellow'
      return [
        line(''),
        ...text(`It wants to run, in ${cwd}:`, 'bold'),
        ...indented(paragraphs(command, columns - 2, ['cyan'])),
        ...text(`Danger: ${severity}`, look),
        ...reasons.flatMap(({ message }) => indented(paragraphs(message, columns - 2, [look]))),
        ...(safer ? text(`Safer: ${safer}`, 'green') : []),
      ]
    }
    case 'review': {
      const { phase, title, files } = request
      const head = phase === null ? title : `Phase ${phase}: ${title}`
      return [line(''), ...text(head, 'bold'), ...files.flatMap(file => wrap(line(`  ${harmless(file)}`), columns, 4))]
    }
  }
}

/** A text of the agent's with its own line breaks, folded where it is too wide. */
export function paragraphs(source: string, columns: number, looks: readonly Look[] = []): Line[] {
  return harmlessLines(source)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap(part => wrap(line(part, ...looks), columns))
}

export function indented(lines: readonly Line[], by = '  '): Line[] {
  return lines.map(one => (one.every(span => span.text === '') ? one : [...line(by), ...one]))
}
