import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { moduleFile } from './runners/interpreters.ts'
import type { Language } from './runners/runner.ts'

/** Where code runs, and with what. */
export interface Running {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** The folder of the first script: Python looks there for modules. */
  readonly root: string
  readonly language: Language
}

/** The files beside it that a file's code loads, as far as its text says. Patterns are possible. */
export function importsOf(text: string, folder: string, running: Running): string[] {
  switch (running.language) {
    case 'python':
      return pythonImports(text, folder, running)
    case 'javascript':
      return matches(
        text,
        /\b(?:from|import|require|require\.resolve)\s{0,20}\(?\s{0,20}["'`](\.{1,2}\/[^"'`\n$]*|\.{1,2})["'`]/g,
      ).map(path => moduleFile(path, folder))
    case 'ruby':
      return [
        ...matches(text, /\brequire_relative\s{0,20}\(?\s{0,20}["']([^"'\n#]+)["']/g).map(path =>
          withExtension(resolve(folder, path), '.rb'),
        ),
        ...matches(text, /\b(?:require|load)\s{0,20}\(?\s{0,20}["'](\.{1,2}\/[^"'\n#]+)["']/g).map(path =>
          withExtension(resolve(running.cwd, path), '.rb'),
        ),
      ]
    case 'perl':
      return matches(text, /\b(?:require|do)\s{0,20}\(?\s{0,20}["']([^"'\n$]+\.p[lm])["']/g).flatMap(path => [
        resolve(running.cwd, path),
        resolve(folder, path),
      ])
    case 'make':
      // Make reads includes from its own folder.
      return matches(text, /^[ ]*[-s]?include[ \t]+([^#\n]+)/gm).flatMap(line =>
        line
          .trim()
          .split(/\s+/)
          .map(path => resolve(running.cwd, path)),
      )
    case 'sql':
      return [
        ...matches(text, /^[ \t]*\\(?:i|include)\s+'?([^\s';]+)/gm).map(path => resolve(running.cwd, path)),
        ...matches(text, /^[ \t]*\\(?:ir|include_relative)\s+'?([^\s';]+)/gm).map(path => resolve(folder, path)),
        ...matches(text, /^[ \t]*(?:\.read|source|\\\.)\s+'?([^\s';]+)/gim).map(path => resolve(running.cwd, path)),
      ]
    default:
      return []
  }
}

/** Whether code of another language starts programs of its own: nobody can say which. */
export function startsPrograms(text: string, language: Language): boolean {
  const starters: Partial<Record<Language, RegExp>> = {
    python: /\b(subprocess|os\.(system|exec\w*|spawn\w*|popen)|pty\.spawn|pexpect|importlib|runpy|exec\s*\(|eval\s*\()/,
    javascript:
      /\b(child_process|execSync|spawnSync|execa|zx|Bun\.(spawn|\$)|Deno\.(run|Command)|eval\s*\(|new Function)\b/,
    ruby: /\b(system|exec|spawn|popen|Open3|eval)\b|`/,
    perl: /\b(system|exec|qx|popen|eval)\b|`/,
    other: /\b(system|exec|shell_exec|passthru|proc_open|popen)\s*\(/,
  }
  return starters[language]?.test(text) ?? false
}

function pythonImports(text: string, folder: string, { cwd, env, root }: Running): string[] {
  const roots = [...new Set([root, ...(env.PYTHONPATH ?? '').split(delimiter).filter(one => one !== '')])].map(one =>
    resolve(cwd, one),
  )
  const found: string[] = []
  for (const [, from, names = '', plain = ''] of text.matchAll(
    /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*\(?([^\n)#;]*)|import[ \t]+([^\n#;]+))/gm,
  )) {
    const members = names.split(',').map(name => name.trim().split(/\s/)[0] ?? '')
    const modules =
      from === undefined
        ? plain.split(',').map(name => name.trim().split(/\s/)[0] ?? '')
        : [from, ...members.map(name => (from.endsWith('.') ? from + name : `${from}.${name}`))]
    for (const module of modules) found.push(...modulePaths(module, folder, roots))
  }
  return found.filter(path => existsSync(path))
}

/** `a.b` is a/b.py or the package a/b, with the __init__.py of a. */
function modulePaths(module: string, folder: string, roots: readonly string[]): string[] {
  const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(module) ?? []
  const bases = dots === '' ? roots : [resolve(folder, ...Array<string>(dots.length - 1).fill('..'))]
  const names = rest.split('.').filter(name => /^\w+$/.test(name))
  return bases.flatMap(base =>
    names.flatMap((_, i) => {
      const path = join(base, ...names.slice(0, i + 1))
      return [`${path}.py`, join(path, '__init__.py')]
    }),
  )
}

function withExtension(path: string, extension: string): string {
  return existsSync(path) || path.endsWith(extension) ? path : `${path}${extension}`
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].slice(0, 500).map(([, path = '']) => path)
}

/** The language of a file that is started itself: by its first line, else by its name. */
export function languageOf(path: string, text: string): Language {
  const [, line = ''] = /^#!([^\n]*)/.exec(text) ?? []
  const source = line === '' ? (/\.(\w+)$/.exec(path)?.[1] ?? 'sh') : line
  if (/\b(ba|z|da|k|mk|a)?sh\b/.test(source)) return 'shell'
  if (/python|^py$/.test(source)) return 'python'
  if (/node|deno|bun|tsx|^[mc]?[jt]sx?$/.test(source)) return 'javascript'
  if (/ruby|^rb$/.test(source)) return 'ruby'
  if (/perl|^p[lm]$/.test(source)) return 'perl'
  if (/make|^mk$/.test(source)) return 'make'
  return source === 'sql' ? 'sql' : 'other'
}

export function interpreterOf(text: string): string[] {
  const [, path = '', argument = ''] = /^#!\s*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?/.exec(text) ?? []
  if (path === '') return []
  return path.endsWith('/env') && argument !== '' ? [path, argument] : [path]
}
