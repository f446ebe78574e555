import type * as bash from 'unbash'
import { parse } from 'unbash'
import { braceAlternatives } from './braces.ts'
import type { Assignment, Operation, Part, Redirect, ShellIR, ShellNode, Span, Word } from './syntax-tree.ts'

/** The one place that knows the parser. Never throws: what is not understood is in `errors`. */
export function parseShell(source: string, at: Span | null = null): ShellIR {
  if (nestsTooDeep(source)) return { body: [], errors: ['brackets in brackets, too deep'] }
  try {
    return new Conversion(at).script(parse(source))
  } catch (error) {
    return { body: [], errors: [error instanceof Error ? error.message : String(error)] }
  }
}

const deepest = 64

/** Each level may make the parser read all the rest again: this keeps its work linear. Quotes are not looked at. */
function nestsTooDeep(source: string): boolean {
  let depth = 0
  for (let i = 0; i < source.length; i += 1) {
    const code = source.charCodeAt(i)
    if (code === openRound || code === openCurly) depth += 1
    else if ((code === closeRound || code === closeCurly) && depth > 0) depth -= 1
    if (depth > deepest) return true
  }
  return false
}

const [openRound, closeRound, openCurly, closeCurly] = [40, 41, 123, 125]

/** Turns one tree into the other. `at` is the span that everything in it has, where its source is not what a person sees. */
class Conversion {
  readonly at: Span | null
  readonly errors: string[] = []

  constructor(at: Span | null) {
    this.at = at
  }

  script(script: bash.ParsedScript): ShellIR {
    for (const { message } of script.errors ?? []) this.errors.push(message)
    return { body: this.statements(script.commands), errors: this.errors }
  }

  statements(statements: readonly bash.Statement[]): ShellNode[] {
    return statements.map(({ command }) => this.node(command))
  }

  node(node: bash.PipelineNode | bash.AndOr | bash.CompoundList): ShellNode {
    const span = this.span(node)
    switch (node.type) {
      case 'Command':
        return this.command(node)
      case 'Pipeline': {
        const stages = node.commands.map(stage => this.node(stage))
        return stages.length === 1 && stages[0] ? stages[0] : { kind: 'pipeline', stages, span }
      }
      case 'AndOr':
        return { kind: 'list', items: node.commands.map(item => this.node(item)), span }
      case 'CompoundList':
        return { kind: 'list', items: this.statements(node.commands), span }
      case 'BraceGroup':
        return { kind: 'list', items: this.statements(node.body.commands), span }
      case 'Subshell':
        return { kind: 'subshell', body: this.statements(node.body.commands), span }
      case 'If':
        return {
          kind: 'choice',
          conditions: [node.clause, ...node.elif.map(({ clause }) => clause)].map(clause => this.node(clause)),
          words: [],
          branches: [node.then, ...node.elif.map(({ then }) => then), ...(node.else ? [node.else] : [])].map(body =>
            this.node(body),
          ),
          span,
        }
      case 'Case':
        return {
          kind: 'choice',
          conditions: [],
          words: [node.word, ...node.items.flatMap(({ pattern }) => pattern)].map(word => this.word(word)),
          branches: node.items.map(({ body }) => this.node(body)),
          span,
        }
      case 'For':
      case 'Select':
        return {
          kind: 'loop',
          variable: node.name.value,
          words: (node.wordlist ?? []).map(word => this.word(word)),
          body: this.statements(node.body.commands),
          span,
        }
      case 'While':
        return { kind: 'loop', variable: null, words: [], body: [this.node(node.clause), this.node(node.body)], span }
      case 'ArithmeticFor':
        return {
          kind: 'loop',
          variable: null,
          words: [node.initialize, node.test, node.update].flatMap(expression => this.arithmetic(expression)),
          body: this.statements(node.body.commands),
          span,
        }
      case 'Function':
        return { kind: 'function', name: node.name.value, body: [this.node(node.body)], span }
      case 'Redirected':
        return {
          kind: 'redirected',
          body: this.node(node.command),
          redirects: node.redirects.map(redirect => this.redirect(redirect)),
          span,
        }
      case 'Coproc':
        return { kind: 'subshell', body: [this.node(node.body)], span }
      case 'TestCommand':
        return { kind: 'test', words: this.test(node.expression), span }
      case 'ArithmeticCommand':
        return { kind: 'test', words: this.arithmetic(node.expression), span }
    }
  }

  command(node: bash.Command): ShellNode {
    const words: (Word | Assignment)[] = node.name ? [this.word(node.name)] : []
    for (const arg of node.args) words.push(arg.type === 'Word' ? this.word(arg) : this.assignment(arg))
    return {
      kind: 'simple',
      assignments: node.prefix.flatMap(item => (item.type === 'Assignment' ? [this.assignment(item)] : [])),
      words,
      redirects: node.redirects.map(redirect => this.redirect(redirect)),
      span: this.span(node),
    }
  }

  assignment(node: bash.Assignment): Assignment {
    return {
      kind: 'assignment',
      name: node.name,
      value:
        node.value.type === 'Word' ? this.word(node.value) : node.value.elements.map(element => this.word(element)),
      append: node.append ?? false,
      indexed: node.index !== undefined,
      span: this.span(node),
    }
  }

  redirect(node: bash.Redirection): Redirect {
    const span = this.span(node)
    const descriptor = node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : null
    if (node.type === 'Redirect') {
      const target = node.target ? this.word(node.target) : null
      return { kind: 'file', operator: node.operator, descriptor, target, span }
    }
    if (node.type === 'HereString') {
      const body = node.target ? this.word(node.target) : { kind: 'word' as const, parts: [], span }
      return { kind: 'text', body, descriptor, span }
    }
    const { text, parts } = node.body
    const body = parts ? this.parts(parts, true) : [{ kind: 'text' as const, text, quoted: true }]
    return { kind: 'text', body: { kind: 'word', parts: body, span }, descriptor, span }
  }

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

  /** What runs inside something whose own text does not matter here. */
  substitutions(parts: readonly bash.WordPart[]): Part[] {
    return this.parts(parts, true).filter(part => part.kind === 'output' || part.kind === 'process')
  }

  braces(part: bash.BraceExpansionPart): Part[] {
    const texts = braceAlternatives(part.text)
    if (!texts) return [{ kind: 'text', text: part.text, quoted: false }]
    const at = this.span(part)
    const alternatives = texts.map((text): Word => {
      const [node] = new Conversion(at).script(parse(`: ${text}`)).body
      const words = node?.kind === 'simple' ? node.words : []
      const word = words[1]
      return word?.kind === 'word' ? word : { kind: 'word', parts: [{ kind: 'text', text, quoted: false }], span: at }
    })
    return [{ kind: 'braces', alternatives }]
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

  /** A script that owns its source, as in backticks with escapes, has positions of its own. */
  nested(script: bash.ParsedScript, part: { pos: number; end: number }): ShellIR {
    const ir = new Conversion(script.source === undefined ? this.at : this.span(part)).script(script)
    this.errors.push(...ir.errors)
    return ir
  }

  arithmetic(expression: bash.ArithmeticExpression | undefined): Word[] {
    if (!expression) return []
    const span = this.span(expression)
    switch (expression.type) {
      case 'ArithmeticBinary':
        return [...this.arithmetic(expression.left), ...this.arithmetic(expression.right)]
      case 'ArithmeticUnary':
        return this.arithmetic(expression.operand)
      case 'ArithmeticTernary':
        return [expression.test, expression.consequent, expression.alternate].flatMap(part => this.arithmetic(part))
      case 'ArithmeticGroup':
        return this.arithmetic(expression.expression)
      case 'ArithmeticWord':
        return expression.parts ? [{ kind: 'word', parts: this.substitutions(expression.parts), span }] : []
      case 'ArithmeticCommandExpansion':
        return expression.script
          ? [
              {
                kind: 'word',
                parts: [{ kind: 'output', script: this.nested(expression.script, expression), quoted: true }],
                span,
              },
            ]
          : []
    }
  }

  test(expression: bash.TestExpression): Word[] {
    switch (expression.type) {
      case 'TestUnary':
        return [this.word(expression.operand)]
      case 'TestBinary':
        return [this.word(expression.left), this.word(expression.right)]
      case 'TestLogical':
        return expression.operands.flatMap(operand => this.test(operand))
      case 'TestNot':
        return this.test(expression.operand)
      case 'TestGroup':
        return this.test(expression.expression)
    }
  }

  span({ pos, end }: { pos: number; end: number }): Span {
    return this.at ?? [pos, end]
  }
}

/** `~/x` and `~user/x`: the first part loses the tilde, which becomes a part of its own. */
function afterTilde(parts: readonly Part[], tilde: string): Part[] {
  const [first, ...rest] = parts
  if (first?.kind !== 'text' || !first.text.startsWith(tilde)) return [...parts]
  const text = first.text.slice(tilde.length)
  const kept: Part[] = text === '' ? [] : [{ ...first, text }]
  return [{ kind: 'tilde', user: tilde.slice(1) }, ...kept, ...rest]
}
