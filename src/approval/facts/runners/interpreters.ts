import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { isFile } from '../read-file.ts'
import { type Bound, type Call, type Language, operandsOf, type Runner } from './runner.ts'

/** bash x.sh, sh < x.sh, zsh --rcfile x. What follows -c is part of the command and was read with it. */
export const runShell: Runner = ({ args }, bound) => {
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? ''
    if (arg === '--rcfile' || arg === '--init-file') bound.code(args[++i] ?? '', 'shell')
    else if (/^[-+][a-z]*[oO]$/.test(arg)) i += 1
    else if (/^-[a-zA-Z]*[cs]/.test(arg)) return
    else if (arg === '--' || arg === '-') continue
    else if (!/^[-+]/.test(arg)) return void bound.code(arg, 'shell')
  }
}

/** `. x.sh`: a name without a slash is looked up in PATH first. */
export const runSource: Runner = ({ args, cwd, env }, bound) => {
  const file = args[0] === '--' ? args[1] : args[0]
  if (file === undefined) return
  const folders = file.includes('/') ? [] : (env.PATH ?? '').split(delimiter)
  const found = folders.map(folder => resolve(cwd, folder, file)).find(path => existsSync(path))
  bound.code(found ?? file, 'shell')
}

export const runPython: Runner = (call, bound) => {
  const { args, cwd, env } = call
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? ''
    if (arg === '-m' || /^-[A-Za-z]*m$/.test(arg)) return runModule(args[i + 1] ?? '', call, bound)
    if (/^-m./.test(arg)) return runModule(arg.slice(2), call, bound)
    if (/^-[A-Za-z]*c$/.test(arg)) return bound.inline(args[i + 1] ?? '', 'python')
    if (/^-[WXQ]$/.test(arg) || arg === '--check-hash-based-pycs') i += 1
    else if (arg === '-') return
    else if (!arg.startsWith('-')) {
      const main = join(arg, '__main__.py')
      return void bound.code(existsSync(resolve(cwd, main)) ? main : arg, 'python')
    }
  }
  if (env.PYTHONSTARTUP) bound.code(env.PYTHONSTARTUP, 'python')
}

/** A package runs its __main__.py, after the __init__.py of every package around it. */
function runModule(module: string, { program, cwd, env }: Call, bound: Bound): void {
  const names = module.split('.')
  const folders = [cwd, ...(env.PYTHONPATH ?? '').split(delimiter).filter(folder => folder !== '')]
  for (const folder of folders.map(one => resolve(cwd, one))) {
    const path = join(folder, ...names)
    const files = [join(path, '__main__.py'), `${path}.py`].filter(file => existsSync(file))
    if (files.length === 0) continue
    for (let i = 1; i <= names.length; i += 1) {
      const init = join(folder, ...names.slice(0, i), '__init__.py')
      if (existsSync(init)) bound.code(init, 'python')
    }
    return void bound.code(files[0] ?? '', 'python')
  }
  bound.unbound(`${program} -m ${module} runs a module that is installed elsewhere; its code is not bound.`)
}

const nodeValues =
  '-r --require --import --loader --experimental-loader -C --conditions --env-file --input-type --config --tsconfig --test-name-pattern --test-reporter'.split(
    ' ',
  )

export const runNode: Runner = ({ program, args, cwd }, bound) => {
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? ''
    const [name = '', given] = arg.startsWith('--') ? arg.split(/=(.*)/s) : [arg]
    if (/^(-e|--eval|-p|--print|-pe)$/.test(name)) return bound.inline(given ?? args[i + 1] ?? '', 'javascript')
    if (nodeValues.includes(name)) {
      const value = given ?? args[++i] ?? ''
      if (/^(-r|--require|--import|--loader|--experimental-loader)$/.test(name) && /^[./]/.test(value))
        bound.code(moduleFile(value, cwd), 'javascript')
      else if (/env-file|config/.test(name)) bound.data(value)
    } else if (name === '--test') bound.unbound(`${program} --test runs test files that are not all bound.`)
    else if (name === '--run') bound.nearest(['package.json'], 'other')
    else if (/^(run|watch|serve|test|eval|x)$/.test(name) && /^(bun|deno|tsx)$/.test(program)) {
      if (name === 'eval') return bound.inline(args[i + 1] ?? '', 'javascript')
    } else if (name === '-') return
    else if (!name.startsWith('-')) return void bound.code(moduleFile(name, cwd), 'javascript')
  }
}

/** As Node looks for it: the file, with an extension, or the main file of a folder. */
export function moduleFile(path: string, cwd: string): string {
  const full = resolve(cwd, path)
  const candidates = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx', '.json'].map(end => full + end)
  // TypeScript names the file that a module becomes.
  const source = full.replace(/\.([mc]?)js(x?)$/, '.$1ts$2')
  const folder = ['package.json', 'index.js', 'index.mjs', 'index.cjs', 'index.ts', 'index.tsx'].map(name =>
    join(full, name),
  )
  return [...candidates, source, ...folder].find(isFile) ?? full
}

/** Ruby, Perl, PHP and others: the first operand is the program, unless the code is an argument. */
export function runScript(language: Language, codeOption: RegExp, withValue: readonly string[] = []): Runner {
  return ({ args }, bound) => {
    const at = args.findIndex(arg => codeOption.test(arg))
    if (at >= 0) return bound.inline(args[at + 1] ?? '', language)
    const [file] = operandsOf(args, withValue)
    if (file !== undefined && file !== '-') bound.code(file, language)
  }
}
