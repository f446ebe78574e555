import type * as bash from 'unbash'
import { parse } from 'unbash'
import { WordConversion } from './convert-words.ts'
import type { Assignment, Redirect, ShellNode, ShellScript, Span, Word } from './syntax-tree.ts'

/** Converts the parser's tree into ours. */
export class ScriptConversion extends WordConversion {
  script(script: bash.ParsedScript): ShellScript {
    for (const { message } of script.errors ?? []) this.errors.push(message)
    return { body: this.statements(script.commands), errors: this.errors }
  }

  statements(statements: readonly bash.Statement[]): ShellNode[] {
    return statements.map(({ command, background }) =>
      background ? { ...this.node(command), background: true } : this.node(command),
    )
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
        return { kind: 'list', items: node.commands.map(item => this.node(item)), conditional: true, span }
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
        return {
          kind: 'loop',
          variable: null,
          words: [],
          body: [this.node(node.clause), this.node(node.body)],
          ...(isAlways(node.kind === 'while', node.clause) ? { endless: true } : {}),
          span,
        }
      case 'ArithmeticFor':
        return {
          kind: 'loop',
          variable: null,
          words: [node.initialize, node.test, node.update].flatMap(expression => this.arithmetic(expression)),
          body: this.statements(node.body.commands),
          ...(node.test === undefined ? { endless: true } : {}),
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
      index: node.index ? this.word(node.index) : null,
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

  test(expression: bash.TestExpression): Word[] {
    switch (expression.type) {
      case 'TestUnary':
        return [this.tested(expression.operand, /^-[vR]$/.test(expression.operator))]
      case 'TestBinary': {
        const isNumeric = /^-(eq|ne|lt|le|gt|ge)$/.test(expression.operator)
        return [this.tested(expression.left, isNumeric), this.tested(expression.right, isNumeric)]
      }
      case 'TestLogical':
        return expression.operands.flatMap(operand => this.test(operand))
      case 'TestNot':
        return this.test(expression.operand)
      case 'TestGroup':
        return this.test(expression.expression)
    }
  }

  tested(word: bash.Word, isEvaluated: boolean): Word {
    const converted = this.word(word)
    return isEvaluated ? { ...converted, parts: [{ kind: 'evaluated', word: converted }] } : converted
  }

  protected nestedScript(script: bash.ParsedScript, at: Span | number): ShellScript {
    return new ScriptConversion(at, this.braceBudget).script(script)
  }

  protected parseWord(text: string, at: Span): Word {
    const [node] = new ScriptConversion(at, this.braceBudget).script(parse(`: ${text}`)).body
    const word = node?.kind === 'simple' ? node.words[1] : undefined
    return word?.kind === 'word' ? word : { kind: 'word', parts: [{ kind: 'text', text, quoted: false }], span: at }
  }
}

/** `while true`, `while :`, `while [ 1 ]`, `until false`. */
function isAlways(isWhile: boolean, { commands }: bash.CompoundList): boolean {
  const [first] = commands
  if (commands.length !== 1 || !first) return false
  const { command } = first
  if (command.type === 'ArithmeticCommand') return isWhile && /^\s*1\s*$/.test(command.body)
  if (command.type !== 'Command' || command.prefix.length > 0) return false
  const words = [command.name, ...command.args].map(word => (word?.type === 'Word' ? word.value : '')).join(' ')
  return isWhile
    ? /^(true|:|\[ (1|true|1 -eq 1) \]|test 1|sleep 0)$/.test(words)
    : /^(false|\[ \]|\[ 0 -eq 1 \])$/.test(words)
}
