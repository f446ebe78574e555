import { unknownText } from '../interpret/arguments.ts'
import { argumentsAt, receiverBefore } from './brackets.ts'
import type { Evaluator } from './evaluate.ts'
import type { Language } from './language.ts'

const mostNames = 60

/** What a program calls by a computed name; null if nothing is known of it. */
interface StaticNames {
  text: string
  /** Whether a function of the system is called by a name that is known only at run time. */
  hasUnknown: boolean
}

/** Writes names that are computed as they would be written plainly: `getattr(os, "sys" + "tem")` becomes `os.system`. */
export function withStaticNames(language: Language, source: string, evaluator: Evaluator): StaticNames {
  const names: StaticNames = { text: language === 'lisp' ? lispCalls(source) : source, hasUnknown: false }
  const prefix = prefixes[language]
  if (prefix) names.text = names.text.replace(prefix, '')
  for (const rewrite of rewrites[language] ?? []) {
    // `_G["os"]["execute"]` takes two rounds.
    for (let round = 0, before = ''; round < 3 && before !== names.text; round += 1) {
      before = names.text
      names.text = applied(rewrite, names, evaluator)
      if (!rewrite.owned) break
    }
  }
  if (prefix) names.text = names.text.replace(prefix, '')
  // A function that is handed over is called: `map(os.remove, files)`.
  const reference = references[language]
  if (reference) names.text = names.text.replace(reference, '$1(')
  return names
}

/** What may stand before a function's name without changing it. */
const prefixes: Readonly<Partial<Record<Language, RegExp>>> = {
  python: /(?<![.\w])(?:builtins|__builtins__)\./g,
  javascript: /(?<![.\w])(?:globalThis|global|window|self)\./g,
  ruby: /(?<![.\w])(?:::)?(?:Kernel|Object|self)\./g,
  perl: /\bCORE::(?:GLOBAL::)?/g,
  php: /(?<![\w\\])\\(?=\w)/g,
  r: /\b(?:base|utils)::/g,
  lua: /(?<![.\w])_G\./g,
  elixir: /(?<![.\w])(?:Elixir|Kernel)\./g,
}

const references: Readonly<Partial<Record<Language, RegExp>>> = {
  python:
    /\b(os\.(?:system|popen|remove|unlink|rmdir|removedirs|exec\w{1,4}|startfile)|shutil\.(?:rmtree|move)|subprocess\.(?:run|call|check_call|check_output|Popen|getoutput))\s*,/g,
  ruby: /\b(system|exec|spawn|eval|IO\.popen|FileUtils\.\w+|File\.(?:delete|unlink|write))\s*\.(?:call\s*)?\(/g,
  php: /\(\s*(\w+)\s*\)\s*->\s*invoke(?:Args)?\s*\(\s*\[?/g,
}

/** One way to compute a name. */
interface Rewrite {
  /** Ends after the opening bracket. */
  pattern: RegExp
  /** The code in place of the call; null leaves it as it is. `owner` is the object of a method, `rest` follows the call. */
  as: (parts: RewriteParts) => string | null
  /** Whether the object before the pattern belongs to it. */
  owned?: boolean
}

interface RewriteParts {
  args: readonly string[]
  values: readonly string[]
  owner: string
  match: RegExpMatchArray
  rest: string
  variables: ReadonlyMap<string, string>
}

function applied({ pattern, as, owned }: Rewrite, names: StaticNames, evaluator: Evaluator): string {
  const { text } = names
  let written = ''
  let done = 0
  let count = 0
  for (const match of text.matchAll(pattern)) {
    const at = match.index
    if (at < done) continue
    count += 1
    if (count > mostNames) break
    const { args, end } = argumentsAt(text, at + match[0].length)
    const owner = owned ? receiverBefore(text, at) : ''
    const from = at - owner.length
    if (from < done) continue
    const values = args.map(arg => evaluator.evaluate(arg))
    const plain = as({
      args,
      values,
      owner,
      match,
      rest: text.slice(end + 1, end + 300),
      variables: evaluator.variables,
    })
    if (plain === null) {
      if (isSystemCall(owner || (args[0] ?? ''), text.slice(end + 1, end + 3), values)) names.hasUnknown = true
      continue
    }
    // What follows a name in brackets stays; a call keeps its own closing bracket.
    written += text.slice(done, from) + plain
    done = isOpen(plain) ? end : end + 1
  }
  return written + text.slice(done)
}

function isOpen(code: string): boolean {
  return code.split('(').length > code.split(')').length
}

/** `getattr(os, name)(…)` */
function isSystemCall(owner: string, after: string, values: readonly string[]): boolean {
  return (
    /^\s*(?:os|subprocess|shutil|builtins|__builtins__|child_process|Kernel|FileUtils)\s*$/.test(owner) &&
    /^\s*\(/.test(after) &&
    values.includes(unknownText)
  )
}

function identifier(value: string | undefined): string | null {
  const name = value?.replace(/^(?:CORE::(?:GLOBAL::)?|\\|node:|Elixir\.|Kernel\.|:)/, '') ?? ''
  return /^[A-Za-z_][\w.!?]*$/.test(name) ? name : null
}

/** `X.send(:name, a)` becomes `X.name(a`. */
const sent = ({ args, values, owner }: RewriteParts): string | null => {
  const name = identifier(symbol(args[0]) ?? values[0])
  return name === null ? null : `${owner === '' ? '' : `${owner}.`}${name}(${args.slice(1).join(',')}`
}

function symbol(source: string | undefined): string | null {
  return /^\s*:(\w+[!?]?)\s*$/.exec(source ?? '')?.[1] ?? null
}

/** `f(NAME, a)` becomes `NAME(a`. */
const calledFirst = ({ args, values }: RewriteParts): string | null => {
  const name = identifier(symbol(args[0]) ?? values[0])
  return name === null ? null : `${name}(${args.slice(1).join(',')}`
}

/** `$f(a)` becomes `NAME(a`. */
const calledVariable = ({ args, match, variables }: RewriteParts): string | null => {
  const name = identifier(variables.get(match[1] ?? match[2] ?? ''))
  return name === null ? null : `${name}(${args.join(',')}`
}

const member = ({ args, values, owner }: RewriteParts): string | null => {
  const name = args.length === 1 ? identifier(values[0]) : null
  return name === null || owner === '' ? null : `${owner}.${name}`
}

const pythonModule = ({ values }: RewriteParts): string | null => identifier(values[0])

const rewrites: Readonly<Partial<Record<Language, readonly Rewrite[]>>> = {
  python: [
    { pattern: /(?<![.\w])(?:__import__|(?:importlib\.)?import_module|importlib\.__import__)\s*\(/g, as: pythonModule },
    { pattern: /\bsys\.modules\s*\[/g, as: pythonModule },
    {
      pattern: /(?<![.\w])getattr\s*\(/g,
      as: ({ args, values }) => (identifier(values[1]) === null ? null : `${args[0]?.trim()}.${values[1]}`),
    },
    { pattern: /(?<![.\w])(?:globals|locals|vars)\(\)\s*\[/g, as: ({ values }) => identifier(values[0]) },
    {
      pattern: /(?<![.\w])vars\(\s*(\w+)\s*\)\s*\[/g,
      as: ({ values, match }) => (identifier(values[0]) === null ? null : `${match[1]}.${values[0]}`),
    },
    { pattern: /\.__dict__\s*\[/g, owned: true, as: member },
    { pattern: /(?<![.\w])__dict__\s*\[/g, as: ({ values }) => identifier(values[0]) },
    { pattern: /\.__getattribute__\s*\(/g, owned: true, as: member },
    { pattern: /(?<![.\w])__builtins__\s*\[/g, as: ({ values }) => identifier(values[0]) },
    {
      pattern: /(?<![.\w])(?:operator\.)?methodcaller\s*\(/g,
      as: ({ args, values, rest }) => {
        const owner = /^\s*\(\s*([\w.]+)/.exec(rest)?.[1]
        return owner === undefined || identifier(values[0]) === null
          ? null
          : `${owner}.${values[0]}(${args.slice(1).join(',')}`
      },
    },
    {
      pattern: /(?<![.\w])(?:operator\.)?attrgetter\s*\(/g,
      as: ({ values, rest }) => {
        const owner = /^\s*\(\s*([\w.]+)/.exec(rest)?.[1]
        return owner === undefined || identifier(values[0]) === null ? null : `${owner}.${values[0]}`
      },
    },
  ],
  javascript: [
    {
      pattern: /(?<=[\w)\]])(?:\?\.)?\[(?=[^\]\n]{1,200}\])/g,
      owned: true,
      as: parts => (/«|^\s*\w+\s*$/.test(parts.args[0] ?? '') ? member(parts) : null),
    },
    {
      pattern: /\bReflect\.(?:get|apply)\s*\(/g,
      as: ({ args, values, match }) =>
        match[0].includes('get')
          ? identifier(values[1]) && `${args[0]?.trim()}.${values[1]}`
          : `${args[0]?.trim()}(${(args[2] ?? '').replace(/^\s*\[/, '')}`,
    },
    {
      pattern: /\.call\s*\(/g,
      owned: true,
      as: ({ owner, args }) => (owner === '' ? null : `${owner}(${args.slice(1).join(',')}`),
    },
    {
      pattern: /\.(?:apply|bind)\s*\(/g,
      owned: true,
      as: ({ owner, args }) =>
        owner === ''
          ? null
          : `${owner}(${args
              .slice(1)
              .join(',')
              .replace(/^\s*\[/, '')}`,
    },
    { pattern: /\(\s*0\s*,\s*(?=[\w.]+\s*\))/g, as: ({ args }) => args[0]?.trim() ?? null },
    { pattern: /\bpromisify\s*\(/g, as: ({ args }) => args[0]?.trim() ?? null },
  ],
  ruby: [
    {
      pattern: /(?<![.\w])(?:(?:Object|Kernel|Module)\.)?const_get\s*\(/g,
      as: ({ args, values }) => identifier(symbol(args[0]) ?? values[0]),
    },
    { pattern: /\.(?:send|public_send|__send__)\s*[( ]/g, owned: true, as: sent },
    { pattern: /(?<![.\w])(?:send|__send__)\s*\(/g, as: calledFirst },
    {
      pattern: /(?:\.|(?<![.\w&]))method\s*\(/g,
      owned: true,
      as: ({ args, values, owner, rest }) => {
        const name = identifier(symbol(args[0]) ?? values[0])
        return name === null || !/^\s*\.(?:call\b|\()/.test(rest) ? null : `${owner === '' ? '' : `${owner}.`}${name}`
      },
    },
  ],
  php: [
    {
      pattern:
        /(?<![\w>:$])(?:call_user_func|call_user_func_array|forward_static_call|register_shutdown_function|array_map|iterator_apply)\s*\(/g,
      as: calledFirst,
    },
    {
      pattern: /(?<![\w>:$])(?:array_walk|array_filter|array_walk_recursive|usort|uasort|uksort)\s*\(/g,
      as: ({ args, values }) => (identifier(values[1]) === null ? null : `${values[1]}(${args[0]}`),
    },
    { pattern: /\$(\w+)\s*\(/g, as: calledVariable },
    {
      pattern: /(?<![\w$])\(\s*(?=[«$])/g,
      as: ({ values, rest }) => (/^\s*\(/.test(rest) ? identifier(values[0]) : null),
    },
    { pattern: /\bnew\s+ReflectionFunction\s*\(/g, as: ({ values }) => identifier(values[0]) },
  ],
  r: [
    { pattern: /(?<![\w.])(?:do\.call)\s*\(/g, as: parts => calledFirst(parts) ?? bareFirst(parts) },
    {
      pattern: /(?<![\w.])(?:get|match\.fun|getFunction|getExportedValue)\s*\(/g,
      as: ({ values }) => identifier(values[0]),
    },
    {
      pattern: /(?<![\w.])(?:sapply|lapply|vapply|purrr::walk|walk|Map|Filter)\s*\(/g,
      as: ({ args }) => (/^\s*[\w.:]+\s*$/.test(args[1] ?? '') ? `${args[1]?.trim()}(${args[0]}` : null),
    },
  ],
  lua: [
    { pattern: /(?<=[\w)\]])\[(?=[^\]\n]{1,200}\])/g, owned: true, as: member },
    { pattern: /(?<![.\w])require\s*\(/g, as: ({ values }) => identifier(values[0]) },
  ],
  perl: [
    { pattern: /&\s*\{\s*(?:\\&)?\s*(?=[$«])/g, as: ({ values }) => identifier(values[0]) },
    { pattern: /(?:&\s*\$(\w+)|\$(\w+)\s*->)\s*\(/g, as: calledVariable },
    { pattern: /(?:«\d+»|\b\w+)->can\s*\(/g, as: ({ values }) => identifier(values[0]) },
  ],
  elixir: [
    {
      pattern: /(?<![.\w])apply\s*\(/g,
      as: ({ args, values }) => {
        const name = symbol(args[1])
        const module = identifier(values[0] === unknownText ? args[0]?.trim() : values[0])
        return name === null || module === null
          ? null
          : `${module}.${name}(${(args[2] ?? '').replace(/^\s*\[|\]\s*$/g, '')}`
      },
    },
  ],
}

function bareFirst({ args }: RewriteParts): string | null {
  return /^\s*[\w.:]+\s*$/.test(args[0] ?? '') ? `${args[0]?.trim()}(${args.slice(1).join(',')}` : null
}

/** `(f a "b")` becomes `f(a, "b")`; the signs in a name become underscores. */
function lispCalls(source: string): string {
  let text = ''
  let isName = false
  for (const token of source.match(/[()[\]]|«\d+»|[^\s()[\]«»]+/g) ?? []) {
    if (token === '(' || token === '[') {
      text += text.endsWith("'") ? '[' : isName || text === '' || /[(,[]$/.test(text) ? '' : ', '
      isName = token === '('
      if (!isName) text += '['
    } else if (token === ')' || token === ']') {
      text += token
      isName = false
    } else if (isName && !token.startsWith('«')) {
      text += `${token.replace(/[^\w.'?]/g, '_')}(`
      isName = false
    } else {
      if (isName) text += '('
      text += `${/[(,[]$/.test(text) || text === '' ? '' : ', '}${token.replace(/^(?:#p|#P)$/, '')}`
      isName = false
    }
  }
  return text
}
