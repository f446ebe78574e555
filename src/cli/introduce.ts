import type { DependencyRequest, Question, Request } from '../protocol/request.ts'
import { secretTypes } from '../protocol/status.ts'
import { harmless, harmlessLines, harmlessTitle } from '../terminal/harmless.ts'

// What a person reads before they are asked to type. Everything the agent wrote is made harmless here.

export function introduce(request: Request): string {
  const { context, agent } = request
  const lines = ['', `${harmlessTitle(agent.name)} in ${harmless(agent.cwd)} asks (${request.id})`]
  if (context) lines.push('', indent(beginningOf(context, request.id)), '')
  switch (request.kind) {
    case 'question':
      return lines.join('\n')
    case 'dependency':
      return [...lines, ...introduceDependency(request)].join('\n')
    case 'approval':
      return [...lines, ...introduceApproval(request)].join('\n')
    case 'review':
      return [...lines, ...introduceReview(request)].join('\n')
  }
}

export function introduceQuestion(question: Question, { required }: Pick<Request, 'required'>): string {
  const header = question.header ? `[${harmlessTitle(question.header)}] ` : ''
  const options = question.options.map(({ label, description }, i) => {
    const about = description ? `  ${harmlessTitle(description)}` : ''
    return `  ${i + 1}) ${harmlessTitle(label)}${about}`
  })
  return [
    `${header}${harmlessLines(question.question)}`,
    ...options,
    `  (${hints(question, required).join('; ')})`,
  ].join('\n')
}

function hints({ options, multiSelect, allowOther, default: byDefault }: Question, required: boolean): string[] {
  const hints: string[] = []
  if (options.length > 0) hints.push(multiSelect ? 'numbers or labels, with commas' : 'a number or a label')
  if (options.length > 0 && allowOther) hints.push('=… for an answer of your own')
  if (byDefault !== null) hints.push(`Enter for ${harmlessTitle([byDefault].flat().join(', '))}`)
  else if (!required) hints.push('Enter skips it')
  return [...hints, 'Ctrl-D to leave']
}

const needs: Record<DependencyRequest['type'], string> = {
  api_key: 'an API key',
  env_variable: 'the value of an environment variable',
  service: 'the address of a service',
  file: 'a file',
  permission: 'a permission (yes or no)',
  package: 'a package',
}

function introduceDependency({ type, name, description, required }: DependencyRequest): string[] {
  const hidden = secretTypes.includes(type) ? ['hidden while you type'] : []
  const skip = required ? [] : ['Enter skips it']
  return [
    `It needs ${needs[type]}: ${harmlessTitle(name)}`,
    indent(harmlessLines(description)),
    `  (${[...hidden, ...skip, 'Ctrl-D to leave'].join('; ')})`,
  ]
}

function introduceApproval({ action }: Extract<Request, { kind: 'approval' }>): string[] {
  return [
    `It wants to run, in ${harmless(action.cwd)}:`,
    indent(harmlessLines(action.command)),
    ...action.reasons.map(({ message }) => `  ${action.severity}: ${harmlessTitle(message)}`),
    ...(action.safer ? [`  safer: ${harmlessTitle(action.safer)}`] : []),
    '  (yes or no; Ctrl-D to leave)',
  ]
}

function introduceReview({ phase, title, files }: Extract<Request, { kind: 'review' }>): string[] {
  const number = phase === null ? '' : `Phase ${harmlessTitle(String(phase))}: `
  return [
    `${number}${harmlessTitle(title)}`,
    ...files.slice(0, 50).map(file => `  ${harmless(file)}`),
    ...(files.length > 50 ? [`  … and ${files.length - 50} more`] : []),
    '  (approve or changes; Ctrl-D to leave)',
  ]
}

const longest = 60

function beginningOf(context: string, id: string): string {
  const lines = harmlessLines(context.slice(0, 20_000)).split('\n')
  if (lines.length <= longest && context.length <= 20_000) return lines.join('\n')
  return [...lines.slice(0, longest), `… the rest: beckon show ${id}`].join('\n')
}

function indent(text: string): string {
  return text
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n')
}
