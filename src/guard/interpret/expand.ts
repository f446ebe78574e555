import type { Part, Word } from '../shell/syntax-tree.ts'
import type { Frame, Reading } from './analysis.ts'
import { type Arg, hole, type Piece, type Stream } from './arguments.ts'
import { expandParameter } from './parameters.ts'
import type { Scope } from './scope.ts'

const mostFields = 512

/** The arguments that a word becomes: none, one, or many. */
export function expandWord(word: Word, reading: Reading, scope: Scope, frame: Frame): Arg[] {
  reading.step()
  const [only] = word.parts
  // Most words are one plain text.
  if (word.parts.length === 1 && only?.kind === 'text') {
    return [{ value: only.text, glob: false, quoted: only.quoted, from: 0, span: word.span }]
  }
  const fields: Arg[] = []
  for (const parts of alternatives(word.parts, reading)) {
    const pieces = parts.map(part => expandPart(part, reading, scope, frame))
    fields.push(...joinFields(pieces, word, reading, separators(scope)))
    if (fields.length > mostFields) break
  }
  return fields
}

/** The one text that a word is where it cannot be split: a redirect's target, an assignment's value, a here-document. */
export function expandText(word: Word, reading: Reading, scope: Scope, frame: Frame): Arg {
  reading.step()
  let value = ''
  let glob = false
  let quoted = false
  let from = 0
  for (const part of word.parts) {
    const piece: Piece =
      part.kind === 'braces'
        ? { text: hole, quoted: true, glob: false, from: 0 }
        : expandPart(part, reading, scope, frame)
    value += piece.list ? piece.list.map(arg => arg.value).join(' ') : piece.text
    glob ||= piece.glob
    quoted ||= piece.quoted
    from |= piece.from
  }
  reading.grow(value.length)
  return { value, glob, quoted, from, span: word.span }
}

/** `a{b,c}d` is two words. */
function alternatives(parts: readonly Part[], reading: Reading): Part[][] {
  let all: Part[][] = [[]]
  for (const part of parts) {
    if (part.kind !== 'braces') {
      for (const one of all) one.push(part)
      continue
    }
    const choices = part.alternatives.flatMap(word => alternatives(word.parts, reading))
    reading.step(all.length * choices.length)
    all = all.flatMap(one => choices.map(choice => [...one, ...choice])).slice(0, mostFields)
  }
  return all
}

function expandPart(part: Part, reading: Reading, scope: Scope, frame: Frame): Piece {
  switch (part.kind) {
    case 'text':
      return { text: part.text, quoted: part.quoted, glob: false, from: 0 }
    case 'glob':
      return { text: part.text, quoted: true, glob: true, from: 0 }
    case 'tilde':
      return { text: homeOf(part.user, reading, scope), quoted: true, glob: false, from: 0 }
    case 'parameter':
      return expandParameter(part, reading, scope, word => expandText(word, reading, scope, frame))
    case 'output':
      return {
        ...output(reading.walk(part.script.body, scope.copy(), { ...frame, shown: false })),
        quoted: part.quoted,
      }
    case 'process': {
      const inner = scope.copy()
      const written = reading.walk(part.script.body, inner, { ...frame, shown: false })
      const name = `/dev/fd/${hole}${scope.files.size}`
      scope.files.set(name, part.direction === '<' ? written : { text: '', from: 0, names: null })
      return { text: name, quoted: true, glob: false, from: part.direction === '<' ? written.from : 0 }
    }
    case 'number':
      for (const word of part.words) expandText(word, reading, scope, frame)
      return {
        text: /^\$\(\(\s*\d+\s*\)\)$/.test(part.text) ? part.text.replace(/\D/g, '') : hole,
        quoted: true,
        glob: false,
        from: 0,
      }
    case 'braces':
      return { text: hole, quoted: true, glob: false, from: 0 }
  }
}

/** A substitution loses the newlines at its end. Lines that are paths stay the paths they are. */
function output({ text, from, names }: Stream): Piece {
  if (names !== null) return { text: names, quoted: false, glob: true, from }
  return { text: text === null ? hole : text.replace(/\n+$/, ''), quoted: false, glob: false, from }
}

function homeOf(user: string, reading: Reading, scope: Scope): string {
  if (user === '') return scope.variables.get('HOME')?.text ?? reading.place.home
  if (user === '+') return scope.cwd ?? hole
  if (user === '-') return scope.oldCwd ?? hole
  return user === 'root' ? '/root' : `/home/${user}`
}

function joinFields(pieces: readonly Piece[], word: Word, reading: Reading, blank: Blank): Arg[] {
  const fields: Arg[] = []
  let field: Arg | null = null
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
      reading.grow(unit.length)
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

interface Blank {
  all: RegExp
  first: RegExp
  last: RegExp
}

const white: Blank = { all: /\s+/, first: /^\s/, last: /\s$/ }

/** What an unquoted expansion is split at: blanks, unless IFS was set. */
function separators(scope: Scope): Blank {
  const ifs = scope.variables.get('IFS')?.text
  if (ifs === undefined || ifs.includes(hole) || ifs.length > 16 || /^\s*$/.test(ifs)) return white
  const set = `[${ifs.replace(/[\\\]^-]/g, '\\$&')}\\s]`
  return { all: new RegExp(`${set}+`), first: new RegExp(`^${set}`), last: new RegExp(`${set}$`) }
}

function split(text: string, { all }: Blank): string[] {
  if (!all.test(text)) return text === '' ? [] : [text]
  return text.split(all).filter(part => part !== '')
}
