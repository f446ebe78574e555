import type { Analysis, Frame } from '../interpret/analysis.ts'
import { type Argument, literal, unknownText } from '../interpret/arguments.ts'
import { decodeBase64, decodeHex } from '../interpret/decode.ts'
import { isShell } from '../interpret/is-shell.ts'
import { reportDynamicCode } from '../interpret/unseen-code.ts'
import type { CallKind } from './calls/call-pattern.ts'
import type { Evaluator } from './evaluate.ts'
import type { Language } from './language.ts'
import { sqlDangers } from './sql-dangers.ts'

/** Languages whose functions on files resolve `~` themselves. */
const tildeLanguages: readonly Language[] = ['r', 'tcl', 'lisp', 'octave', 'applescript']

/** Analyzes one call as the program that does the same. */
export class CallRunner {
  readonly #language: Language
  readonly #evaluator: Evaluator
  readonly #code: Argument
  readonly #frame: Frame
  readonly #analysis: Analysis
  readonly #readCode: (text: string) => void

  constructor(
    language: Language,
    evaluator: Evaluator,
    code: Argument,
    frame: Frame,
    analysis: Analysis,
    read: (text: string) => void,
  ) {
    this.#language = language
    this.#evaluator = evaluator
    this.#code = code
    this.#frame = frame
    this.#analysis = analysis
    this.#readCode = read
  }

  run(as: CallKind, values: readonly string[]): void {
    const [first = unknownText, second = ''] = values
    const last = values.at(-1) ?? unknownText
    const actions: Readonly<Partial<Record<CallKind, () => void>>> = {
      'delete-tree': () => this.#deleteTree(first),
      delete: () => (first === unknownText ? this.#deleteListed() : this.#program('rm', ...this.#paths(first))),
      'delete-listed': () => this.#deleteListed(),
      write: () => first !== unknownText && /[wax+]/.test(second) && this.#program('>>', this.#path(first)),
      open: () => this.#open(values),
      overwrite: () => this.#program('>>', this.#path(first)),
      truncate: () => this.#program('truncate', '-s', '0', this.#path(first)),
      'write-last': () => this.#program('>>', this.#path(last)),
      chmod: () => this.#program('chmod', second, this.#path(first)),
      chown: () => this.#program('chown', unknownText, this.#path(first)),
      link: () => this.#program('ln', '-s', this.#path(first), this.#path(second || unknownText)),
      kill: () => this.#program('kill', '-9', ['ruby', 'perl'].includes(this.#language) ? second : first),
      move: () => this.#program('mv', this.#path(first), this.#path(second || unknownText)),
      shell: () => this.#shell(first),
      argv: () => this.#argv(values),
      exec: () => this.#exec(values),
      pipe: () => this.#pipe(first),
      eval: () => this.#eval(first),
      'eval-last': () => this.#eval(last),
      sql: () => this.#sql(first),
      'delete-data': () => this.#deleteData(),
      'http-delete': () => this.#httpDelete(values),
      'http-request': () =>
        this.#evaluator.skeleton.strings.some(text => /^delete$/i.test(text)) && this.#httpDelete(values),
      dynamic: () => this.#dynamic(),
    }
    actions[as]?.()
  }

  /** A line of words that are not quoted, as in Tcl. */
  runLine(as: CallKind, line: string): void {
    const text = line.replace(/["{]/g, "'").replace(/[}]/g, "'")
    const command = as === 'delete-rest' ? `rm -r ${text.replace(/^\s*-force\s+/, '')}` : text.replace(/'/g, '"')
    this.#analysis.runShellCode(command, this.#code.span, this.#frame)
  }

  /** Of `folder/*`, every folder in it; the whole folder then counts. */
  #deleteTree(target: string): void {
    const span = this.#code.span
    const targets = this.#paths(target).map(path => ({ ...literal(path, span), glob: /[*?]/.test(path) }))
    this.#analysis.runProgram([literal('rm', span), literal('-r', span), ...targets], this.#frame)
  }

  /** `for f in listdir("/etc"): remove(f)` may delete in any folder that the code names. */
  #deleteListed(): void {
    const { strings, text } = this.#evaluator.skeleton
    const named = strings.filter(isFarPath).map(path => this.#path(path))
    const home = mentionsHome.test(text) ? [this.#evaluator.home] : []
    this.#program('rm', ...named, ...home)
  }

  /** `open(F, ">file")`, `open(F, "command |")`, `open(F, "-|", "command")`. */
  #open([mode = unknownText, ...rest]: readonly string[]): void {
    const [target = unknownText] = rest
    const trimmed = mode.trim()
    const written = /^\+?>{1,2}\s*(.+)$/s.exec(trimmed)?.[1]
    if (/^(?:-\||\|-)/.test(trimmed)) this.#argv(rest)
    else if (trimmed.startsWith('|')) this.#pipe(trimmed.slice(1))
    else if (trimmed.endsWith('|')) this.#shell(trimmed.slice(0, -1))
    else if (rest.length > 0 && /^\+?>/.test(trimmed)) this.#program('>>', this.#path(target))
    else if (written !== undefined) this.#program('>>', this.#path(written))
    else if (this.#language === 'ruby' && /^[wa]/.test(target)) this.#program('>>', this.#path(mode))
  }

  #shell(text: string): void {
    if (text === unknownText) this.#dynamic()
    else this.#analysis.runShellCode(wordsOf(text).join(' '), this.#code.span, this.#frame)
  }

  #httpDelete(values: readonly string[]): void {
    const url = values.find(value => /^https?:\/\/[^/]/i.test(value))
    if (url !== undefined) this.#program('curl', '-X', 'DELETE', url)
  }

  #pipe(text: string): void {
    if (isShell(text.trim().split('/').at(-1) ?? '')) this.#dynamic()
    else this.#shell(text)
  }

  /** A list is a program and its arguments; a string is a command line or a program. */
  #argv(values: readonly string[]): void {
    const [first = unknownText] = values
    if (first.startsWith('\x01')) this.#program(...wordsOf(first))
    else if (/\s/.test(first.trim())) this.#shell(first)
    else if (first === unknownText) this.#dynamic()
    else this.#program(first, ...values.slice(1).flatMap(wordsOf))
  }

  /** The program's name comes twice: as the file, and as the first argument. */
  #exec(values: readonly string[]): void {
    const [first = unknownText, ...rest] = values.flatMap(wordsOf)
    if (first === unknownText) this.#dynamic()
    else this.#program(first, ...rest.slice(1))
  }

  #eval(text: string): void {
    const decoded = decodeBase64(text) ?? decodeHex(text)
    const { text: source } = this.#evaluator.skeleton
    if (decoded !== null && text.length >= 12 && /base64|b64|hex|atob|pack|decode/i.test(source))
      this.#readCode(decoded)
    else if (text === unknownText) this.#dynamic()
    else this.#readCode(text)
  }

  #sql(text: string): void {
    for (const { kind, severity, ...said } of sqlDangers(text)) {
      this.#analysis.report({
        rule: `db/${kind}`,
        ...said,
        span: this.#code.span,
        verdict: 'ask',
        severity,
        safer: null,
      })
    }
  }

  #deleteData(): void {
    this.#analysis.report({
      rule: 'db/code-deletes',
      message: 'deletes data in a database or the cloud from code',
      span: this.#code.span,
      verdict: 'ask',
      severity: 'critical',
      safer: null,
    })
  }

  #dynamic(): void {
    reportDynamicCode(this.#code, this.#frame, this.#analysis)
  }

  #program(...words: readonly string[]): void {
    const argv = words.map(word => literal(word, this.#code.span))
    this.#analysis.runProgram(argv, this.#frame)
  }

  #paths(value: string): string[] {
    return wordsOf(value).map(path => this.#path(path))
  }

  #path(value: string): string {
    const isExpanded = tildeLanguages.includes(this.#language) || /[*?]/.test(value)
    return isExpanded ? value.replace(/^~(?=\/|$)/, this.#evaluator.home) : value
  }
}

function wordsOf(value: string): string[] {
  if (value === '\x01') return []
  return value.startsWith('\x01') ? value.slice(1).split('\x01') : [value]
}

function isFarPath(text: string): boolean {
  return /^(?:\/|~)[\w./*~-]*$/.test(text)
}

const mentionsHome =
  /\b(?:homedir|Path\.home|Dir\.home|user_home|UserHomeDir|home_dir|getHomeDir)\b|\bENV\{HOME\}|\benv\.HOME\b/
