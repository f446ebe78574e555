import type { Analysis } from '../interpret/analysis.ts'
import { type Argument, literal, texts, unknownText } from '../interpret/arguments.ts'
import { unknownStream } from '../interpret/streams.ts'
import { readCode } from '../languages/read-code.ts'
import { parseArgs } from '../parse-args.ts'
import { absolute } from '../paths.ts'
import type { ProgramCall } from '../program-call.ts'
import { list } from '../word-list.ts'
import { type Justfile, type Recipe, readJustfile } from './justfile.ts'
import type { LookedFile } from './looked-files.ts'
import { nearestFile, parentOf } from './nearest-file.ts'
import { openFile } from './run-script.ts'
import { runText } from './run-text.ts'
import { scriptLanguage } from './script-language.ts'

const values = list('-f --justfile -d --working-directory --set --shell --color --dotenv-path --dotenv-filename')
const runsNothing = list(
  '-n --dry-run -l --list --summary -s --show --dump --evaluate -e --edit --fmt --init --variables',
)

/** just x: the recipe, and those that it depends on. */
export function runJust(call: ProgramCall, analysis: Analysis): void {
  const { options, operands } = parseArgs(call.args, { values })
  if (call.cwd === null || options.some(({ name }) => runsNothing.includes(name))) return
  const given = options.findLast(({ name }) => name === '-f' || name === '--justfile')?.value
  const file = given
    ? openFile(given.value, given, call.frame, analysis)
    : nearestFile(call.cwd, ['justfile', 'Justfile', '.justfile'], call.frame, analysis)
  if (!file) return
  const folder = options.findLast(({ name }) => name === '-d' || name === '--working-directory')?.value
  analysis.lookInside(() => {
    analysis.countCharacters(file.text.length)
    const cwd = (folder && absolute(folder.value, call.cwd)) ?? parentOf(file.path)
    new JustRun(file, cwd, call, analysis).run(operands.filter(({ value }) => !/^\w+=/.test(value)))
    return unknownStream
  })
}

class JustRun {
  readonly #file: LookedFile
  readonly #cwd: string
  readonly #justfile: Justfile
  readonly #call: ProgramCall
  readonly #analysis: Analysis
  readonly #done = new Set<string>()

  constructor(file: LookedFile, cwd: string, call: ProgramCall, analysis: Analysis) {
    this.#file = file
    this.#cwd = cwd
    this.#justfile = readJustfile(file)
    this.#call = call
    this.#analysis = analysis
  }

  run([goal, ...args]: readonly Argument[]): void {
    const { recipes, aliases } = this.#justfile
    const name = goal ? (aliases.get(goal.value) ?? goal.value) : recipes.keys().next().value
    if (name !== undefined) this.#runRecipe(name, texts(args))
    // What follows may be arguments, or further recipes.
    for (const { value } of args) if (recipes.has(value)) this.#runRecipe(value, [])
  }

  #runRecipe(name: string, args: readonly string[]): void {
    const recipe = this.#justfile.recipes.get(name)
    if (!recipe || this.#done.has(name)) return
    this.#done.add(name)
    this.#analysis.countSteps()
    for (const one of recipe.dependencies) this.#runRecipe(one, [])
    const known = new Map([...this.#justfile.variables, ...argumentsOf(recipe, args)])
    const [first] = recipe.lines
    if (first?.text.startsWith('#!')) this.#runScript(name, recipe, known)
    else
      for (const { text, span } of recipe.lines) {
        const code = this.#fill(text, known).replace(/^[@-]+/, '')
        runText({ file: this.#file, text: code, span, part: name, cwd: this.#cwd }, this.#call, this.#analysis)
      }
  }

  /** A recipe with a first line of its own is one script. */
  #runScript(name: string, { lines }: Recipe, known: ReadonlyMap<string, string>): void {
    const text = this.#fill(lines.map(line => line.text).join('\n'), known)
    const span = lines[0]?.span ?? this.#call.frame.span
    const language = scriptLanguage('', text)
    if (language === 'shell')
      runText({ file: this.#file, text, span, part: name, cwd: this.#cwd }, this.#call, this.#analysis)
    else if (language) readCode(language, literal(text, span), this.#call.frame, this.#analysis)
  }

  #fill(text: string, known: ReadonlyMap<string, string>): string {
    this.#analysis.countCharacters(text.length)
    return text.replaceAll(/\{\{([^{}]*)\}\}/g, (_, inside: string) => this.#valueOf(inside.trim(), known, 0))
  }

  #valueOf(expression: string, known: ReadonlyMap<string, string>, depth: number): string {
    const [, string] = /^(?:"([^"\\]*)"|'[^']*')$/.exec(expression) ?? []
    if (string !== undefined) return string
    if (/^'[^']*'$/.test(expression)) return expression.slice(1, -1)
    if (/^justfile_directory\(\)$/.test(expression)) return parentOf(this.#file.path)
    const value = known.get(expression)
    if (value === undefined || depth > 8) return unknownText
    return /^["'`]|^\w+$|\(/.test(value) && known.get(value) !== undefined
      ? this.#valueOf(value, known, depth + 1)
      : literalOf(value)
  }
}

function literalOf(value: string): string {
  if (/^"[^"\\]*"$|^'[^']*'$/.test(value)) return value.slice(1, -1)
  return /^[\w./-]*$/.test(value) ? value : unknownText
}

function argumentsOf({ parameters }: Recipe, args: readonly string[]): [string, string][] {
  return parameters.map(({ name, value, isRest }, i) => {
    const given = isRest ? args.slice(i).join(' ') : args[i]
    return [name, given === undefined || (given === '' && isRest && value !== null) ? (value ?? unknownText) : given]
  })
}
