import type { Analysis } from '../interpret/analysis.ts'
import { type Argument, isStdin } from '../interpret/arguments.ts'
import { parseArgs } from '../parse-args.ts'
import { absolute } from '../paths.ts'
import type { ProgramCall } from '../program-call.ts'
import { list } from '../word-list.ts'
import type { LookedFile } from './looked-files.ts'
import { MakeVariables } from './make-variables.ts'
import { Makefile, type MakeRule, type RecipeLine, readMakefile } from './makefile.ts'
import { fileIn } from './nearest-file.ts'
import { openFile } from './run-script.ts'
import { runText } from './run-text.ts'

const values = list(
  '-C --directory -f --file --makefile -I --include-dir -o --old-file -W --what-if -l --load-average -O --output-sync',
)

/** make x: the recipes of its targets and of their prerequisites. */
export function runMake(call: ProgramCall, analysis: Analysis): void {
  const { options, operands } = parseArgs(call.args, { values })
  if (options.some(({ name }) => /^(-n|-q|-t|--just-print|--dry-run|--recon|--question|--touch)$/.test(name))) return
  const valuesOf = (...names: string[]) =>
    options.flatMap(({ name, value }) => (value && names.includes(name) ? [value] : []))
  const folder = valuesOf('-C', '--directory').reduce<string | null>((at, { value }) => absolute(value, at), call.cwd)
  if (folder === null) return
  const inFolder = { ...call.frame, scope: call.frame.scope.copy() }
  inFolder.scope.cwd = folder
  const given = valuesOf('-f', '--file', '--makefile').filter(arg => !isStdin(arg))
  const files =
    given.length > 0
      ? given.map(arg => openFile(arg.value, arg, inFolder, analysis))
      : [fileIn(folder, ['GNUmakefile', 'makefile', 'Makefile'], call.frame, analysis)]
  analysis.lookInside(() => {
    for (const file of files) if (file) new MakeRun(file, folder, operands, call, analysis).run()
    return { text: null, from: 0, pathPattern: null }
  })
}

const mostIncludes = 16
const nothing: ReadonlyMap<string, string> = new Map()

class MakeRun {
  readonly #file: LookedFile
  readonly #folder: string
  readonly #goals: readonly string[]
  readonly #makefile = new Makefile()
  readonly #rules = new Map<string, MakeRule>()
  readonly #variables: ReadonlyMap<string, string>
  readonly #call: ProgramCall
  readonly #analysis: Analysis
  readonly #made = new Set<string>()

  constructor(file: LookedFile, folder: string, operands: readonly Argument[], call: ProgramCall, analysis: Analysis) {
    this.#file = file
    this.#folder = folder
    this.#call = call
    this.#analysis = analysis
    this.#read(file)
    const words = operands.map(({ value }) => value)
    this.#goals = words.filter(word => !word.includes('='))
    const own = [...this.#definedByMake(), ...this.#makefile.variables, ...words.flatMap(assignmentOf)]
    this.#variables = new Map(own)
    for (const [target, rule] of this.#makefile.rules)
      for (const name of this.#words(target)) this.#rules.set(name, rule)
  }

  run(): void {
    for (const line of this.#makefile.evaluated) this.#runLine(line, 'variables', nothing)
    const first = [...this.#rules.keys()].find(name => !name.startsWith('.') && !name.includes('%'))
    const goal = this.#variables.get('.DEFAULT_GOAL') ?? first
    for (const one of this.#goals.length > 0 ? this.#goals : [goal]) if (one !== undefined) this.#make(one)
  }

  #read(file: LookedFile): void {
    this.#analysis.countCharacters(file.text.length)
    readMakefile(file, this.#makefile)
    for (let i = 0; i < Math.min(this.#makefile.includes.length, mostIncludes); i += 1) {
      const included = fileIn(this.#folder, [this.#makefile.includes[i] ?? ''], this.#call.frame, this.#analysis)
      if (included) readMakefile(included, this.#makefile)
    }
  }

  /** Prerequisites first; a stack of our own, because a chain of them is as deep as it is long. */
  #make(goal: string): void {
    const open = [goal]
    while (open.length > 0) {
      this.#analysis.countSteps()
      const target = open.at(-1) ?? ''
      const rule = this.#rules.get(target)
      if (rule && !this.#made.has(target)) {
        this.#made.add(target)
        const missing = rule.prerequisites
          .flatMap(name => this.#words(name))
          .filter(name => this.#rules.has(name) && !this.#made.has(name))
        for (const name of missing.toReversed()) open.push(name)
        if (missing.length > 0) continue
      }
      open.pop()
      if (rule) this.#runRecipe(target, rule)
    }
  }

  #runRecipe(target: string, { prerequisites, recipe }: MakeRule): void {
    const [first = ''] = prerequisites
    const automatic = new Map([
      ['@', target],
      ['<', first],
      ['^', prerequisites.join(' ')],
    ])
    const [start] = recipe
    // With .ONESHELL, `cd` on one line holds for the next.
    if (start && this.#rules.has('.ONESHELL'))
      this.#runLine({ ...start, text: recipe.map(({ text }) => text).join('\n') }, target, automatic)
    else for (const line of recipe) this.#runLine(line, target, automatic)
  }

  #runLine({ text, span }: RecipeLine, part: string, automatic: ReadonlyMap<string, string>): void {
    const code = new MakeVariables(this.#variables, automatic, this.#analysis).expand(text).replace(/^[\s@+-]+/, '')
    runText({ file: this.#file, text: code, span, part, cwd: this.#folder }, this.#call, this.#analysis)
  }

  #words(text: string): string[] {
    if (!text.includes('$')) return [text]
    return new MakeVariables(this.#variables, nothing, this.#analysis).expand(text).split(/\s+/)
  }

  #definedByMake(): [string, string][] {
    return [
      ['MAKE', 'make'],
      ['RM', 'rm -f'],
      ['CC', 'cc'],
      ['SHELL', '/bin/sh'],
      ['CURDIR', this.#folder],
      ['PWD', this.#folder],
      ['HOME', this.#call.context.home],
      ['MAKEFILE_LIST', this.#file.path],
      ['MAKEFLAGS', ''],
    ]
  }
}

function assignmentOf(word: string): [string, string][] {
  const [, name, value = ''] = /^([\w.-]+)[:+?]?=(.*)$/s.exec(word) ?? []
  return name === undefined ? [] : [[name, value]]
}
