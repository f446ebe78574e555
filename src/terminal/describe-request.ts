import type { DependencyRequest, Request } from '../protocol/request.ts'
import { secretTypes } from '../protocol/status.ts'
import { editableText } from '../rules/action-text.ts'
import { fileText } from '../text/file-text.ts'
import { harmless, harmlessLines, harmlessTitle } from '../text/harmless.ts'
import { type Line, line, type Style } from '../text/styled.ts'
import { chop, wrap } from '../text/wrap.ts'
import { diffLines } from './diff-lines.ts'
import { renderMarkdown } from './markdown/markdown.ts'
import { indented, paragraphs } from './paragraphs.ts'

/**
 * What a person reads before they decide: who asks, why, and for what. The questions themselves are not part of it.
 * Everything an agent wrote is made harmless here.
 */
export function describeRequest(request: Request, columns: number): Line[] {
  const { agent, session, context } = request
  const name = [agent.name, ...agent.path].map(harmlessTitle).join(' > ')
  // An action says itself where it would run, and a small screen has no line to spare.
  const isSaid = request.kind === 'approval' && request.action.cwd === agent.cwd
  const place = isSaid ? '' : ` in ${harmless(agent.cwd)}`
  const where = ` asks${place}${session ? `, session ${harmlessTitle(session)}` : ''}`
  const who: Line = [...line(name, 'bold'), ...line(where, 'dim')]
  return [
    ...wrap(who, columns),
    ...(context ? [line(''), ...indented(renderMarkdown(context, columns - 2))] : []),
    ...files(request, columns),
    ...details(request, columns),
  ]
}

/**
 * Whether there is so much to read that a prompt prints it once, above its frame, where it stays. All of an approval can
 * be scrolled in the frame.
 */
export function isLongReading({ kind, context, attachments }: Request): boolean {
  return kind !== 'approval' && (context !== null || attachments.length > 0 || kind === 'review')
}

/** A terminal shows no pictures: their names, and how to get at them. */
function files({ id, attachments }: Request, columns: number): Line[] {
  if (attachments.length === 0) return []
  const names = attachments.flatMap(file => wrap(line(`  ${harmlessTitle(fileText(file))}`), columns, 4))
  return [line(''), ...names, ...wrap(line(`  beckon show ${id} --save FOLDER`, 'dim'), columns, 4)]
}

const dependencyNames: Record<DependencyRequest['type'], string> = {
  api_key: 'an API key',
  env_variable: 'the value of an environment variable',
  service: 'the address of a service',
  file: 'a file',
  permission: 'a permission',
  package: 'a package',
  password: 'a password',
}

function details(request: Request, columns: number): Line[] {
  const text = (source: string, ...styles: Style[]) => paragraphs(source, columns, styles)
  switch (request.kind) {
    case 'question':
      return []
    case 'dependency': {
      const { type, name, description } = request
      const hidden = secretTypes.includes(type) ? ['What you enter is encrypted and not shown.'] : []
      return [
        line(''),
        ...text(`It needs ${dependencyNames[type]}: ${harmlessTitle(name)}`, 'bold'),
        ...indented(paragraphs(description, columns - 2)),
        ...hidden.flatMap(note => text(note, 'dim')),
      ]
    }
    case 'approval': {
      const { tool, input, command, cwd, severity, reasons, safer } = request.action
      const { starts = [], files = [], claims = [], facts } = request.action
      const shown = editableText(request.action)
      const style: Style = ['high', 'critical'].includes(severity) ? 'red' : 'yellow'
      return [
        line(''),
        ...text(
          tool === undefined
            ? `It wants to run in ${harmless(cwd)}:`
            : `It wants to use ${harmlessTitle(tool)} in ${harmless(cwd)}:`,
          'bold',
        ),
        ...commandLines(shown, columns),
        ...(tool !== undefined && command !== undefined
          ? [...text('The whole input of the tool:', 'dim'), ...commandLines(JSON.stringify(input, null, 2), columns)]
          : []),
        ...(starts.length > 0 ? text('Decoded and unwrapped, it runs:', 'dim') : []),
        ...starts.flatMap(one => commandLines(one, columns)),
        ...text(`Danger: ${severity}`, style),
        ...reasons.flatMap(reason => [
          ...indented(paragraphs(harmlessTitle(reason.message), columns - 2, [style])),
          ...riskyPart(shown, reason.span, columns),
        ]),
        ...claims.flatMap(({ message }) => text(`The agent says: ${harmlessTitle(message)}`, 'dim')),
        ...(safer ? text(`Safer: ${harmlessTitle(safer)}`, 'green') : []),
        ...(files.length > 0
          ? text(`Your approval covers these files as they are now: ${fileList(files)}`, 'dim')
          : []),
        ...(facts?.unbound ?? []).flatMap(what => text(`Not covered: ${harmlessTitle(what)}`, 'yellow')),
      ]
    }
    case 'review': {
      const { phase, title, files, diff } = request
      const head =
        phase === null ? harmlessTitle(title) : `Phase ${harmlessTitle(String(phase))}: ${harmlessTitle(title)}`
      // The diff has every changed file; named ones that did not change are in the context.
      const changes = diff
        ? diffLines(diff, columns)
        : files.flatMap(file => wrap(line(`  ${harmless(file)}`), columns, 4))
      return [line(''), ...text(head, 'bold'), ...changes]
    }
  }
}

const filesShown = 6

/** A script may lead to many files; the first ones must not push the danger off the screen. */
function fileList(files: readonly string[]): string {
  const shown = files.slice(0, filesShown).map(harmless).join(', ')
  const more = files.length - filesShown
  return more > 0 ? `${shown}, and ${more} more (beckon show lists them)` : shown
}

/** The part of the command that a reason is about. Empty if that is the whole command. */
function riskyPart(command: string, [from, to]: readonly [number, number], columns: number): Line[] {
  const part = harmlessTitle(command.slice(from, to))
  if (part === '' || part === harmlessTitle(command)) return []
  return indented(wrap([...line('> ', 'dim'), ...line(part, 'cyan')], columns - 4), '    ')
}

/**
 * The command, character by character. Folds are marked, so that they do not look like new lines; runs of empty lines
 * are replaced by their count, so that they push nothing off the screen; unusual spaces are shown as escapes.
 */
export function commandLines(command: string, columns: number): Line[] {
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
  return lines.length < 2 ? shown : [...shown, line(`  (${lines.length} lines in total)`, 'dim')]
}

function folded(one: string, columns: number): Line[] {
  return chop(line(one, 'cyan'), columns - 2).map((part, i) => [...line(i === 0 ? '  ' : '↪ ', 'dim'), ...part])
}
