import type * as bash from 'unbash'
import { braceAlternatives, isPlainText } from './braces.ts'
import type { Operation, Part, ShellScript, Span, Word } from './syntax-tree.ts'

/** Thrown when braces stand for more words than any real command has. */
export class TooManyWords extends Error {}

/** How many words the braces of a script may still become. Parsing one is as much work as many plain ones. */
export interface BraceBudget {
  left: number
}
const mostBraceWords = 20_000
const costOfParsing = 10

/** Converts the parser's words, and everything inside them, into our tree. */
export abstract class WordConversion {
  /** The span of every node, if the source is not the text that a person sees; or else where that text begins. */
  readonly at: Span | number
  readonly errors: string[] = []
  protected readonly braceBudget: BraceBudget

  constructor(at: Span | number, braceBudget: BraceBudget = { left: mostBraceWords }) {
    this.at = at
    this.braceBudget = braceBudget
  }

  /** Converts a script inside a word. */
  protected abstract nestedScript(script: bash.ParsedScript, at: Span | number): ShellScript
  /** Parses text as one word. */
  protected abstract parseWord(text: string, at: Span): Word

  word(word: bash.Word): Word {
    const span = this.span(word)
    const tilde = /^~([\w.+-]*)(?=\/|$)/.exec(word.text)
    if (!word.parts) {
      const quoted = word.text !== word.value
      if (!tilde) return { kind: 'word', parts: [{ kind: 'text', text: word.value, quoted }], span }
      return { kind: 'word', parts: afterTilde([{ kind: 'text', text: word.value, quoted }], tilde[0]), span }
    }
    const parts = this.parts(word.parts, false)
    return { kind: 'word', parts: tilde ? afterTilde(parts, tilde[0]) : parts, span }
  }

  parts(parts: readonly bash.WordPart[], quoted: boolean): Part[] {
    return parts.flatMap(part => this.part(part, quoted))
  }

  part(part: bash.WordPart, quoted: boolean): Part[] {
    switch (part.type) {
      case 'Literal':
        return [{ kind: 'text', text: part.value, quoted: quoted || part.text !== part.value }]
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return [{ kind: 'text', text: part.value, quoted: true }]
      case 'DoubleQuoted':
      case 'LocaleString':
        return part.parts.length === 0 ? [{ kind: 'text', text: '', quoted: true }] : this.parts(part.parts, true)
      case 'Glob':
        return [{ kind: 'glob', text: part.text }]
      case 'ExtendedGlob':
        return [{ kind: 'glob', text: part.text }, ...this.substitutions(part.parts ?? [])]
      case 'BraceExpansion':
        return this.braces(part)
      case 'SimpleExpansion':
        return [{ kind: 'parameter', name: part.text.slice(1), quoted, prefix: null, index: null, operation: null }]
      case 'ParameterExpansion':
        return [
          {
            kind: 'parameter',
            name: part.parameter,
            quoted,
            prefix: part.prefix ?? null,
            index: part.index?.text ?? null,
            operation: part.operation ? this.operation(part.operation) : null,
          },
          ...this.substitutions(part.index?.parts ?? []),
        ]
      case 'CommandExpansion':
        return part.script ? [{ kind: 'output', script: this.nested(part.script, part), quoted }] : []
      case 'ProcessSubstitution':
        return part.script
          ? [{ kind: 'process', direction: part.operator, script: this.nested(part.script, part) }]
          : []
      case 'ArithmeticExpansion':
        return [{ kind: 'number', text: part.text, words: this.arithmetic(part.expression) }]
    }
  }

  /** Only the parts that run something. */
  substitutions(parts: readonly bash.WordPart[]): Part[] {
    return this.parts(parts, true).filter(part => part.kind === 'output' || part.kind === 'process')
  }

  braces(part: bash.BraceExpansionPart): Part[] {
    const texts = braceAlternatives(part.text)
    if (!texts) return [{ kind: 'text', text: part.text, quoted: false }]
    const at = this.span(part)
    return [{ kind: 'braces', alternatives: texts.map(text => this.alternative(text, at)) }]
  }

  alternative(text: string, at: Span): Word {
    const isPlain = isPlainText(text)
    this.braceBudget.left -= isPlain ? 1 : costOfParsing
    if (this.braceBudget.left < 0) throw new TooManyWords('its braces stand for too many words')
    return isPlain
      ? { kind: 'word', parts: [{ kind: 'text', text, quoted: false }], span: at }
      : this.parseWord(text, at)
  }

  operation(operation: bash.ParameterOperation): Operation {
    const { operator } = operation
    switch (operation.type) {
      case 'Default':
      case 'Remove':
      case 'Transform':
        return { operator, operands: [this.word(operation.operand)] }
      case 'Replace':
        return { operator, operands: [this.word(operation.pattern), this.word(operation.replacement)] }
      case 'Slice':
        return {
          operator,
          operands: [operation.offset, ...(operation.length ? [operation.length] : [])].map(word => this.word(word)),
        }
      case 'CaseModification':
        return { operator, operands: operation.operand ? [this.word(operation.operand)] : [] }
      default:
        return { operator: `?${operator}`, operands: [] }
    }
  }

  /** A script with its own source, such as backticks with escapes, has positions that the command does not have. */
  nested(script: bash.ParsedScript, part: { pos: number; end: number }): ShellScript {
    const ir = this.nestedScript(script, script.source === undefined ? this.at : this.span(part))
    this.errors.push(...ir.errors)
    return ir
  }

  /** A stack instead of recursion: `1+1+1…` nests as deep as it is long. */
  arithmetic(expression: bash.ArithmeticExpression | undefined): Word[] {
    const words: Word[] = []
    const stack = [expression]
    while (stack.length > 0) {
      const part = stack.pop()
      switch (part?.type) {
        case 'ArithmeticBinary':
          stack.push(part.right, part.left)
          break
        case 'ArithmeticUnary':
          stack.push(part.operand)
          break
        case 'ArithmeticTernary':
          stack.push(part.alternate, part.consequent, part.test)
          break
        case 'ArithmeticGroup':
          stack.push(part.expression)
          break
        case 'ArithmeticWord':
          words.push(this.number(part))
          break
        case 'ArithmeticCommandExpansion':
          if (part.script) {
            const script = this.nested(part.script, part)
            words.push({ kind: 'word', parts: [{ kind: 'output', script, quoted: true }], span: this.span(part) })
          }
          break
      }
    }
    return words
  }

  /** What a word of arithmetic runs: its substitutions, and whatever the variables that it names hold. */
  number({ value, parts, ...part }: bash.ArithmeticWord): Word {
    const span = this.span(part)
    const names = value.match(/[A-Za-z_]\w*/g)?.join(' ')
    const evaluated = (text: string): Part => ({
      kind: 'evaluated',
      word: { kind: 'word', parts: [{ kind: 'text', text, quoted: true }], span },
    })
    return {
      kind: 'word',
      parts: [...this.substitutions(parts ?? []), ...(names === undefined ? [] : [evaluated(names)])],
      span,
    }
  }

  span({ pos, end }: { pos: number; end: number }): Span {
    return typeof this.at === 'number' ? [this.at + pos, this.at + end] : this.at
  }
}

/** Splits the tilde of `~/x` and `~user/x` off into its own part. */
function afterTilde(parts: readonly Part[], tilde: string): Part[] {
  const [first, ...rest] = parts
  if (first?.kind !== 'text' || !first.text.startsWith(tilde)) return [...parts]
  const text = first.text.slice(tilde.length)
  const kept: Part[] = text === '' ? [] : [{ ...first, text }]
  return [{ kind: 'tilde', user: tilde.slice(1) }, ...kept, ...rest]
}
