import { basename, dirname, resolve } from 'node:path'
import { classify, type Segment } from '../../guard/index.ts'
import { type Facts, factLimits } from '../../protocol/facts.ts'
import { type CommandContext, guardOptions } from '../workspace.ts'
import type { BoundFiles } from './bound-files.ts'
import { expandGlob, isGlob } from './globs.ts'
import { importsOf, interpreterOf, languageOf, startsPrograms } from './imports.ts'
import { findProgram, isBuiltin, isSystemProgram } from './programs.ts'
import { nearestFile } from './runners/builders.ts'
import { runnerOf } from './runners/index.ts'
import { moduleFile } from './runners/interpreters.ts'
import type { Bound, Language } from './runners/runner.ts'
import type { Sentences } from './sentences.ts'

/** Code that is still to be read for what it runs itself. */
interface Code extends CommandContext {
  readonly text: string
  readonly language: Language
  /** The file; null for code that is given in the command. */
  readonly path: string | null
  /** The folder of the first script. */
  readonly root: string
}

const maxCodeFiles = 200
const maxShellCode = 100_000
const maxShellCodeOfAll = 400_000

/**
 * Finds the programs that a command starts and the code that they run: scripts, what these load from beside them, and
 * the files that builders read by default. Shell scripts are read as the guard reads commands.
 */
export class CodeSearch {
  readonly #files: BoundFiles
  readonly #sentences: Sentences
  readonly #programs = new Map<string, Facts['programs'][number]>()
  readonly #seen = new Map<string, string | null>()
  readonly #queue: Code[] = []
  #shellCode = 0
  /** Scripts and makefiles: the files that their text names are read too. */
  readonly texts: { readonly text: string; readonly folders: readonly string[] }[] = []
  /** The folders that the command's programs are started in. */
  readonly folders = new Set<string>()

  constructor(files: BoundFiles, sentences: Sentences) {
    this.#files = files
    this.#sentences = sentences
  }

  /** Whether it runs code that may start further programs, by names that PATH gives a meaning. */
  get runsCode(): boolean {
    return this.#seen.size > 0 || this.#sentences.size > 0
  }

  get programs(): Facts['programs'] {
    const order = (one: Facts['programs'][number]) => `${one.name}\0${one.path}`
    return [...this.#programs.values()].toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  }

  read(segments: readonly Segment[], context: CommandContext): void {
    this.#readSegments(segments, { ...context, path: null })
    for (let code = this.#queue.shift(); code; code = this.#queue.shift()) this.#readCode(code)
  }

  /** What this name means now. */
  addProgram(name: string, { cwd, env }: CommandContext): void {
    if (name.trim() === '' || /[…\0]/.test(name) || name.length > 4_096 || !name.isWellFormed()) return
    const program = findProgram(name, cwd, env.PATH)
    const path = program?.real ?? null
    if (this.#programs.size >= factLimits.programs) {
      this.#sentences.add(`It starts more than ${factLimits.programs} programs; the others are not bound.`)
      return
    }
    this.#programs.set(`${name}\0${path}`, { name, path })
    if (program && !isSystemProgram(program.real)) this.#files.addData(program.real)
  }

  #readSegments(segments: readonly Segment[], code: Pick<Code, 'cwd' | 'env' | 'path'>): void {
    for (const { argv, cwd } of segments) this.#readSegment(argv, cwd, code)
  }

  #readSegment(
    [head = '', ...args]: readonly string[],
    cwd: string | null,
    { cwd: start, env, path: script }: Pick<Code, 'cwd' | 'env' | 'path'>,
  ): void {
    const program = basename(head).toLowerCase()
    const runner = runnerOf(program)
    if (cwd === null) {
      // Inside a container, on another machine, or in a folder that another command prints.
      if (runner || head.includes('/'))
        this.#sentences.add(`${head} is started in a folder that is known only at run time; its files are not bound.`)
      return
    }
    if (cwd !== start || script === null) this.folders.add(cwd)
    if (head.includes('/') || !isBuiltin(head)) this.addProgram(head, { cwd, env })
    // Git starts it by its name, and so gives it what it reads and sends.
    if (program === 'git' && args.some(arg => /^(push|fetch|pull|clone|ls-remote|submodule|remote)$/.test(arg)))
      this.addProgram('ssh', { cwd, env })
    const bound = this.#boundFor(cwd, env, script)
    if (head.includes('/') && !isSystemProgram(findProgram(head, cwd, env.PATH)?.real ?? '')) bound.code(head, 'shell')
    runner?.({ program, args, cwd, env, script }, bound)
  }

  #boundFor(cwd: string, env: NodeJS.ProcessEnv, script: string | null, root?: string): Bound {
    const add = (path: string, language: Language) =>
      this.#addCode(path, language, { cwd, env, root: root ?? dirname(path) })
    return {
      code: (path, language) => {
        if (path === '' || path === '-' || path.startsWith('/dev/')) return null
        const known = path.startsWith('…/') && script !== null ? this.#besideScript(path, script) : path
        if (!isGlob(known)) return add(resolve(cwd, known), language)
        if (known.includes('…')) this.#sentences.add(`It runs ${known}, whose name is known only at run time.`)
        const { paths, isCut } = expandGlob(known, cwd, factLimits.files)
        if (isCut) this.#sentences.add(`${known} stands for more files than can be bound.`)
        for (const match of paths) add(match, language)
        return null
      },
      data: path => {
        if (!isGlob(path)) return void this.#files.addData(resolve(cwd, path))
        const { paths, isCut } = expandGlob(path, cwd, factLimits.files)
        if (isCut) this.#sentences.add(`The folder ${dirname(path)} is too large to be bound.`)
        for (const match of paths) this.#files.addData(match)
      },
      nearest: (names, language) => {
        const found = nearestFile(cwd, names)
        if (found !== null) add(found, language)
      },
      shell: (text, folder, variables) =>
        void this.#queue.push({ text, language: 'shell', path: null, cwd: folder, env: variables, root: folder }),
      inline: (text, language) => void this.#queue.push({ text, language, path: null, cwd, env, root: cwd }),
      unbound: sentence => this.#sentences.add(sentence),
    }
  }

  /** `"$(dirname "$0")/lib.sh"`: the folder is unknown to the guard, but it is usually that of the script. */
  #besideScript(path: string, script: string): string {
    return resolve(dirname(script), path.slice(2))
  }

  #addCode(path: string, language: Language, { cwd, env, root }: CommandContext & { root: string }): string | null {
    const known = this.#seen.get(path)
    if (known !== undefined) return known
    if (this.#seen.size >= maxCodeFiles) {
      this.#sentences.add(`It runs more than ${maxCodeFiles} files of code; the others are not bound.`)
      return null
    }
    const text = this.#files.addCode(path)
    this.#seen.set(path, text)
    if (text === null) return null
    const started = language === 'shell' ? languageOf(path, text) : language
    for (const program of interpreterOf(text)) this.addProgram(program, { cwd, env })
    this.#queue.push({ text, language: started, path, cwd, env, root })
    return text
  }

  #readCode(code: Code): void {
    const { text, language, path, cwd, env } = code
    if (language === 'shell') {
      this.#readShell(code)
      return
    }
    // Only plain imports are followed: code can load anything by a name that it makes up.
    if (['python', 'javascript', 'ruby', 'perl', 'other'].includes(language))
      this.#sentences.add('It runs code, which can load files and start programs that are not listed here.')
    const folder = path === null ? cwd : dirname(path)
    const bound = this.#boundFor(cwd, env, path, code.root)
    for (const file of importsOf(text, folder, code)) bound.code(file.replaceAll(/\$[({]\w+[)}]/g, '…'), language)
    if (language === 'make') this.texts.push({ text, folders: [folder] })
    if (language === 'javascript' && path !== null && basename(path) === 'package.json')
      bound.code(moduleFile(mainOf(text), folder), language)
    if (startsPrograms(text, language))
      this.#sentences.add(`${path ?? 'Code in the command'} starts programs of its own, which are not bound.`)
  }

  #readShell({ text, path, cwd, env }: Code): void {
    this.#shellCode += text.length
    if (text.length > maxShellCode || this.#shellCode > maxShellCodeOfAll) {
      this.#sentences.add(`${path ?? 'A script'} is too long to read; what it starts is not bound.`)
      return
    }
    this.texts.push({ text, folders: path === null ? [cwd] : [cwd, dirname(path)] })
    const source = path === null ? text : withOwnPath(text, path)
    this.#readSegments(classify(source, guardOptions({ cwd, env })).segments, { cwd, env, path })
  }
}

/** A script that finds files beside itself does so by its own path, which the guard does not know. */
function withOwnPath(text: string, path: string): string {
  if (!/^[\w@%+:,./-]+$/.test(path)) return text
  const own = /\$(?:0(?!\d)|\{0\}|BASH_SOURCE\b|\{BASH_SOURCE(?:\[0\])?\})/g
  return text.replaceAll(/\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}/g, dirname(path)).replaceAll(own, path)
}

function mainOf(manifest: string): string {
  try {
    const { main } = JSON.parse(manifest) as { main?: unknown }
    return typeof main === 'string' ? main : 'index.js'
  } catch {
    return 'index.js'
  }
}
