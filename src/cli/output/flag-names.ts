import type { Command } from 'commander'
import { type BeckonError, invalid, type Problem } from '../../protocol/errors.ts'

// Errors about input name the fields of the protocol. On the command line people typed flags, so errors name those.

/** The flag or argument that a field came from, where its name differs from the field's. */
const origins: [field: RegExp, name: string][] = [
  [/^questions\[0\]\.question$/, 'text'],
  [/^questions\[0\]\.options\b/, 'option'],
  [/^questions\[0\]\.multiSelect$/, 'multi'],
  [/^questions\[0\]\.(header|category|default)\b.*$/, '$1'],
  [/^attachments\b.*$/, 'attach'],
  [/^answers?(\[\d+\]|\.\w+|$).*$/, 'value'],
  [/^edited$/, 'edit'],
  [/^keep\b.*$/, 'keep'],
  [/^(secret|appToken|signingSecret)$/, '$1From'],
  [/^(kind|event|project)s\b.*$/, '$1'],
  [/^urgentOnly$/, 'urgent'],
  [/^action\.command$/, 'command'],
]

/** Flags that give the same field in another way. */
const alternatives: Record<string, readonly string[]> = {
  value: ['text', 'answer', 'from', 'upload'],
  keep: ['keepEverywhere'],
}

// Where one flag needs another one, both are named.
const sentences: Record<string, string> = { onTimeout: '--on-timeout default needs --default VALUE' }

/** The error's message in the words of the command line; its details keep the fields. */
export function inFlags(error: BeckonError, command: Command): string {
  const { details, message } = error
  if (!isProblems(details) || message !== invalid(details).message) return message
  const text = details.map(problem => sentenceOf(problem, command)).join('; ')
  return /[.!?)…]$/.test(text) ? text : `${text}.`
}

function sentenceOf({ path, message }: Problem, command: Command): string {
  // The message about a request begins with its id.
  if (path === '' || (path === 'id' && message.startsWith('req_'))) return message
  const name = flagOf(path, command) ?? path
  if (sentences[path] && name.startsWith('--')) return sentences[path]
  return continuesSubject(message) ? `${name} ${message}` : `${name}: ${message}`
}

function flagOf(path: string, command: Command): string | null {
  const origin = origins.find(([field]) => field.test(path))
  const name = origin ? path.replace(origin[0], origin[1]).replace(/[.[].*$/, '') : path
  if (command.registeredArguments.some(argument => argument.name() === path)) return givenInstead(path, command)
  const isGiven = command.opts()[name] !== undefined
  const typed = (isGiven ? undefined : alternatives[name]?.find(other => command.opts()[other])) ?? name
  const option = command.options.find(option => option.attributeName() === typed || option.long === `--${typed}`)
  if (option?.long) return `${option.long}${numberIn(path)}`
  if (command.registeredArguments.some(argument => argument.name() === name)) return givenInstead(name, command)
  return path === 'run' ? 'BECKON_RUN' : null
}

/** The argument in capitals, or the flag that was given in its place. */
function givenInstead(argument: string, command: Command): string {
  const flag = alternatives[argument]?.find(name => command.opts()[name] !== undefined)
  return flag === undefined ? argument.toUpperCase() : `--${flag}`
}

/** Which one of a repeatable flag: options are counted from 1. */
function numberIn(path: string): string {
  const [, index] = /^questions\[0\]\.options\[(\d+)\]/.exec(path) ?? []
  return index === undefined ? '' : ` number ${Number(index) + 1}`
}

/** Most messages go on where the field's name ends: `must not be empty`. */
function continuesSubject(message: string): boolean {
  return /^(is|are|has|have|must|cannot|needs?|contains?|takes?|gives?|goes|stands|and) /.test(message)
}

function isProblems(details: unknown): details is Problem[] {
  return Array.isArray(details) && details.every(one => typeof one?.path === 'string')
}
