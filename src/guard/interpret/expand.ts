import type { Part, Word } from '../shell/syntax-tree.ts'
import { trimEnd } from '../trim-end.ts'
import type { Analysis, Frame } from './analysis.ts'
import { type Argument, type ExpandedPart, unknownText } from './arguments.ts'
import { reportEndlessValue } from './endless-output.ts'
import { evaluateArithmetic } from './evaluated-text.ts'
import { expandParameter } from './parameters.ts'
import type { Scope } from './scope.ts'
import type { Stream } from './streams.ts'

const mostFields = 512

/** Expands a word into arguments: none, one or many. */
export function expandWord(word: Word, analysis: Analysis, scope: Scope, frame: Frame): Argument[] {
  analysis.countSteps()
  const [only] = word.parts
  // A shortcut: most words are plain text.
  if (word.parts.length === 1 && only?.kind === 'text') {
    return [{ value: only.text, glob: false, quoted: only.quoted, from: originOf(only.text, scope), span: word.span }]
  }
  const fields: Argument[] = []
  for (const parts of alternatives(word.parts, analysis)) {
    const pieces = parts.map(part => expandPart(part, analysis, scope, frame))
    fields.push(...joinFields(pieces, word, analysis, separators(scope)))
    if (fields.length > mostFields) break
  }
  return fields
}

/** Expands a word that is not split: a redirect's target, an assignment's value, a here-document. */
export function expandText(word: Word, analysis: Analysis, scope: Scope, frame: Frame): Argument {
  analysis.countSteps()
  let value = ''
  let glob = false
  let quoted = false
  let from = 0
  for (const part of word.parts) {
    const piece: ExpandedPart =
      part.kind === 'braces'
        ? { text: unknownText, quoted: true, glob: false, from: 0 }
        : expandPart(part, analysis, scope, frame)
    value += piece.list ? piece.list.map(arg => arg.value).join(' ') : piece.text
    glob ||= piece.glob
    quoted ||= piece.quoted
    from |= piece.from
  }
  analysis.countCharacters(value.length)
  return { value, glob, quoted, from, span: word.span }
}

/** `a{b,c}d` becomes two words. */
function alternatives(parts: readonly Part[], analysis: Analysis): Part[][] {
  let all: Part[][] = [[]]
  for (const part of parts) {
    if (part.kind !== 'braces') {
      if (all.length > 1) analysis.countSteps(all.length)
      for (const one of all) one.push(part)
      continue
    }
    const choices = part.alternatives.flatMap(word => alternatives(word.parts, analysis))
    analysis.countSteps(all.length * choices.length)
    all = all.flatMap(one => choices.map(choice => [...one, ...choice])).slice(0, mostFields)
  }
  return all
}

function expandPart(part: Part, analysis: Analysis, scope: Scope, frame: Frame): ExpandedPart {
  switch (part.kind) {
    case 'text':
      return { text: part.text, quoted: part.quoted, glob: false, from: originOf(part.text, scope) }
    case 'glob':
      return { text: part.text, quoted: true, glob: true, from: 0 }
    case 'tilde':
      return { text: homeOf(part.user, analysis, scope), quoted: true, glob: false, from: 0 }
    case 'parameter':
      return expandParameter(part, analysis, scope, { ...frame, scope }, word =>
        expandText(word, analysis, scope, frame),
      )
    case 'output': {
      const written = analysis.walk(part.script.body, scope.copy(), { ...frame, shown: false })
      if (written.endless) reportEndlessValue(frame, analysis)
      return { ...outputPart(written), quoted: part.quoted }
    }
    case 'process': {
      const inner = scope.copy()
      const written = analysis.walk(part.script.body, inner, { ...frame, shown: false })
      const name = `/dev/fd/${unknownText}${scope.files.size}`
      scope.files.set(name, part.direction === '<' ? written : { text: '', from: 0, pathPattern: null })
      return { text: name, quoted: true, glob: false, from: part.direction === '<' ? written.from : 0 }
    }
    case 'number':
      for (const word of part.words) expandText(word, analysis, scope, frame)
      return {
        text: /^\$\(\(\s*\d+\s*\)\)$/.test(part.text) ? part.text.replace(/\D/g, '') : unknownText,
        quoted: true,
        glob: false,
        from: 0,
      }
    case 'evaluated': {
      const { value, span } = expandText(part.word, analysis, scope, frame)
      evaluateArithmetic({ text: value, span }, analysis, scope, frame)
      return { text: value, quoted: true, glob: false, from: 0 }
    }
    case 'braces':
      return { text: unknownText, quoted: true, glob: false, from: 0 }
  }
}

function originOf(text: string, { unknownFrom }: Scope): number {
  return unknownFrom !== 0 && text.includes(unknownText) ? unknownFrom : 0
}

/** A substitution drops the newlines at its end. A known pattern of paths is kept. */
function outputPart({ text, from, pathPattern }: Stream): ExpandedPart {
  if (pathPattern !== null) return { text: pathPattern, quoted: false, glob: true, from }
  return { text: text === null ? unknownText : trimEnd(text, '\n'), quoted: false, glob: false, from }
}

function homeOf(user: string, analysis: Analysis, scope: Scope): string {
  if (user === '') return scope.variables.get('HOME')?.text ?? analysis.context.home
  if (user === '+') return scope.cwd ?? unknownText
  if (user === '-') return scope.oldCwd ?? unknownText
  return user === 'root' ? '/root' : `/home/${user}`
}

function joinFields(pieces: readonly ExpandedPart[], word: Word, analysis: Analysis, blank: Separators): Argument[] {
  const fields: Argument[] = []
  let field: Argument | null = null
  for (const piece of pieces) {
    const units = piece.list
      ? piece.list.map(({ value }) => value)
      : piece.quoted
        ? [piece.text]
        : split(piece.text, blank)
    if (!piece.list && !piece.quoted && blank.first.test(piece.text)) finish()
    units.forEach((unit, i) => {
      if (i > 0) finish()
      field ??= { value: '', glob: false, quoted: false, from: 0, span: word.span }
      field.value += unit
      field.glob ||= piece.list?.[i]?.glob ?? piece.glob
      field.quoted ||= piece.quoted
      field.from |= piece.from
      analysis.countCharacters(unit.length)
    })
    if (!piece.list && !piece.quoted && blank.last.test(piece.text)) finish()
  }
  finish()
  return fields

  function finish() {
    if (field && fields.length < mostFields) fields.push(field)
    field = null
  }
}

interface Separators {
  all: RegExp
  first: RegExp
  last: RegExp
}

const blanks: Separators = { all: /\s+/, first: /^\s/, last: /\s$/ }

/** What splits an unquoted expansion: blanks, unless IFS is set. */
function separators(scope: Scope): Separators {
  const ifs = scope.variables.get('IFS')?.text
  if (ifs === undefined || ifs.includes(unknownText) || ifs.length > 16 || /^\s*$/.test(ifs)) return blanks
  const set = `[${ifs.replace(/[\\\]^-]/g, '\\$&')}\\s]`
  return { all: new RegExp(`${set}+`), first: new RegExp(`^${set}`), last: new RegExp(`${set}$`) }
}

function split(text: string, { all }: Separators): string[] {
  if (!all.test(text)) return text === '' ? [] : [text]
  return text.split(all).filter(part => part !== '')
}
