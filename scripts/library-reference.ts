import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API, type Checker, NodeBuilderFlags, type Project, SignatureKind, SymbolFlags } from 'typescript/unstable/sync'

// Writes docs/reference.md from the types that the package exports: node scripts/library-reference.ts

const root = join(import.meta.dirname, '..')

/** The modules, and their names in the order in which one meets them. A name that is in no list fails the test. */
const modules: { name: string; file: string; groups: Record<string, readonly string[]> }[] = [
  {
    name: 'beckon',
    file: 'src/index.ts',
    groups: {
      Opening: ['openHub', 'OpenHubOptions', 'ProgramCaller'],
      'The hub': ['Hub', 'AskOptions', 'WaitOptions'],
      'What you ask': [
        ...['Ask', 'QuestionAsk', 'FormAsk', 'Prompt', 'Option', 'DescribedOption', 'AskCommon', 'AskingAgent'],
        ...['AttachedFile', 'AttachmentInput', 'DependencyAsk', 'DependencyType', 'ApprovalAsk', 'ActionToApprove'],
        ...['ReasonToApprove', 'Severity', 'Json', 'ReviewAsk', 'OnTimeout', 'Category'],
      ],
      'What you get': [
        ...['Outcome', 'Settled', 'ValueOf', 'AnswersOf', 'AnswerTo', 'AnswerGiven', 'Used', 'UseOptions'],
      ],
      Requests: [
        ...[
          'Request',
          'QuestionRequest',
          'DependencyRequest',
          'ApprovalRequest',
          'ReviewRequest',
          'Question',
          'Action',
        ],
        ...['Attachment', 'Kind', 'Status', 'ListFilter', 'RequestPage'],
      ],
      'For people': [
        ...[
          'AnswerInput',
          'Edited',
          'SkipInput',
          'DeclineInput',
          'CancelInput',
          'Settlement',
          'Message',
          'MessageInput',
        ],
        ...['OnMessage', 'Draft', 'DraftInput', 'DraftReader', 'Drafts', 'Earlier', 'Inbox', 'InboxFilter'],
        ...['SnoozeInput', 'Kept', 'Rule', 'Explanation', 'Verdict', 'Reason', 'Step'],
      ],
      Events: ['Event', 'EventType', 'EventsOptions', 'FollowOptions'],
      'Runs, tokens, notifications': [
        ...['Run', 'RunStatus', 'StartRunInput', 'ChangeRunInput', 'RunFilter', 'Checkpoint', 'SaveCheckpointInput'],
        ...['AppendLogInput', 'LogEnd', 'LogPage', 'ReadLogOptions', 'Token', 'Scope', 'CreateTokenInput', 'NewToken'],
        ...['Target', 'AddTargetInput', 'ChangeTargetInput', 'NewTarget', 'TargetTest', 'PushSubscriptionInput'],
        ...['Pairing', 'StartedPairing'],
      ],
      'Errors and checks': [
        ...['BeckonError', 'ErrorCode', 'Problem', 'isTemporary', 'validateAnswer', 'Answerable'],
        ...['ValidAnswer', 'InvalidAnswer', 'validateDependencyValue', 'DependencyVerdict', 'FileContext', 'FileKind'],
      ],
    },
  },
  {
    name: 'beckon/client',
    file: 'src/client/index.ts',
    groups: { '': ['connect', 'ConnectOptions', 'RemoteHub'] },
  },
  {
    name: 'beckon/testing',
    file: 'src/testing/index.ts',
    groups: { '': ['openTestHub', 'TestHubOptions', 'TestHub', 'TestClock', 'Person', 'Match', 'Script'] },
  },
]

type Symbol = ReturnType<Checker['getExportsOfModule']>[number]
type Type = ReturnType<Checker['getDeclaredTypeOfSymbol']>

/** The page as the types have it now. */
export function libraryReference(): string {
  const api = new API({ cwd: root })
  try {
    const config = join(root, 'tsconfig.json')
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (!project) throw new Error(`${config} is not a project.`)
    return page(project)
  } finally {
    api.close()
  }
}

function page(project: Project): string {
  const known = new Set<string>()
  const everything = new Map(modules.flatMap(({ file }) => [...exportsOf(project, join(root, file))]))
  const print = createPrinter(project, everything)
  const chapters = modules.flatMap(({ name, file, groups }) => {
    const exported = exportsOf(project, join(root, file))
    const listed = Object.values(groups).flat()
    const again = [...exported.keys()].filter(each => !listed.includes(each))
    refuse(
      listed.filter(each => !exported.has(each)),
      `${name} does not export`,
    )
    refuse(
      again.filter(each => !known.has(each)),
      `${name} exports, and this page does not list,`,
    )
    for (const each of listed) known.add(each)
    const more = again.length > 0 ? [`It also exports ${again.map(code).join(', ')}, as above.`, ''] : []
    const sections = Object.entries(groups).map(([title, names]) => section(print, exported, title, names))
    return [`## ${name}`, '', ...more, ...sections.flat()]
  })
  return `${[...opening, ...chapters]
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}

function refuse(names: readonly string[], what: string): void {
  if (names.length > 0) throw new Error(`${what} ${names.join(', ')}. See modules in scripts/library-reference.ts.`)
}

const opening = [
  '# Reference of the library',
  '',
  'Everything that the package exports for programs, written from its types by `scripts/library-reference.ts`.',
  '[The library](library.md), [the client](client.md) and [testing](testing.md) show how it is used. `?` marks what may',
  'be left out.',
  '',
]

function exportsOf({ program, checker }: Project, file: string): Map<string, Symbol> {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new Error(`${file} exports nothing.`)
  const found = checker.getExportsOfModule(module).map(symbol => [symbol.name, resolve(checker, symbol)] as const)
  return new Map(found)
}

function resolve(checker: Checker, symbol: Symbol): Symbol {
  return symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

function section(print: Printer, exported: Map<string, Symbol>, title: string, names: readonly string[]): string[] {
  const heading = title === '' ? [] : [`### ${title}`, '']
  return [...heading, ...names.flatMap(name => entry(print, name, exported.get(name) as Symbol))]
}

function entry(print: Printer, name: string, symbol: Symbol): string[] {
  const { checker } = print
  const doc = docOf(checker, symbol)
  const lead = [`#### ${name}`, '', ...(doc ? [doc, ''] : [])]
  if (symbol.flags & SymbolFlags.Function) {
    const type = typeOf(checker, symbol)
    return [...lead, block(`function ${name}${asMethod(print.short(type))}`), '']
  }
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  if (name === 'Hub') return [...lead, '| verb | |', '|---|---|', ...verbs(print, type), '']
  const fields = checker.getPropertiesOfType(type).filter(field => !field.name.startsWith('__@'))
  // Its comment says it better.
  if (type.isConditionalType()) return lead
  if (fields.length === 0 || !hasOwnFields(checker, type, name)) {
    return [...lead, block(`type ${name} =${print.long(type, name)}`), '']
  }
  const bases = (type.getBaseTypes() ?? []).filter(base => print.isExported(base))
  const inherited = new Set(bases.flatMap(base => checker.getPropertiesOfType(base).map(({ name }) => name)))
  const own = fields.filter(field => !inherited.has(field.name) && print.short(typeOf(checker, field)) !== 'undefined')
  const rest = bases.map(base => link(base.getSymbol()?.name ?? '')).join(' and ')
  const more = rest === '' ? [] : ['', `With the fields of ${rest}.`]
  return [...lead, '| field | type | |', '|---|---|---|', ...own.map(field => row(print, field)), ...more, '']
}

/** Every verb with its signature; those of a noun, such as `messages`, with its name. */
function verbs(print: Printer, hub: Type, noun = ''): string[] {
  const { checker } = print
  return checker.getPropertiesOfType(hub).flatMap(symbol => {
    const type = typeOf(checker, symbol)
    if (!isCalled(checker, type)) return verbs(print, type, `${symbol.name}.`)
    const signature = print.withOwnName(asMethod(print.short(type)), symbol.name)
    return [`| ${code(`${noun}${symbol.name}${signature}`)} | ${cell(docOf(checker, symbol))} |`]
  })
}

/** Not a union, a function, a text, or another name for an interface. */
function hasOwnFields(checker: Checker, type: Type, name: string): boolean {
  if (type.isUnionType() || isCalled(checker, type)) return false
  if (type.isClassOrInterface() || type.isTypeReference()) return (type.getSymbol()?.name ?? name) === name
  return type.isObjectType() || type.isIntersectionType()
}

function isCalled(checker: Checker, type: Type): boolean {
  return checker.getSignaturesOfType(type, SignatureKind.Call).length > 0
}

/** The type parameter of `ask` and `raise` is for the compiler. */
function asMethod(signature: string): string {
  return signature.replace(/^<const Given extends Ask>\(ask: Given & KnownFields/, '(ask: Ask').replace(/\) => /, '): ')
}

function row(print: Printer, field: Symbol): string {
  const type = typeOf(print.checker, field)
  const optional = (field.flags & SymbolFlags.Optional) !== 0
  return `| ${code(field.name)}${optional ? '?' : ''} | ${code(print.short(type))} | ${cell(docOf(print.checker, field))} |`
}

function typeOf(checker: Checker, symbol: Symbol): Type {
  return checker.getTypeOfSymbol(symbol) as Type
}

interface Printer {
  checker: Checker
  isExported(type: Type): boolean
  /** A type by the names that are exported. */
  short(type: Type): string
  /** With the name that the verb has for its input: several inputs may look the same. */
  withOwnName(signature: string, verb: string): string
  /** The type behind this name. */
  long(type: Type, name: string): string
}

/** The types of a schema have lost their names: they are found again by what they look like. */
function createPrinter({ checker }: Project, exported: Map<string, Symbol>): Printer {
  const types = [...exported].filter(([, symbol]) => symbol.flags & SymbolFlags.TypeAlias)
  const looks = types
    .map(([name, symbol]) => [name, look(checker.getDeclaredTypeOfSymbol(symbol))] as const)
    .filter(([, look]) => look.length > 20)
    .sort(([, a], [, b]) => b.length - a.length)
  return {
    checker,
    isExported: type => exported.has(type.getSymbol()?.name ?? ''),
    short: type => plain(named(name(type), '')),
    withOwnName(signature, verb) {
      const [own, look] = looks.find(([name]) => name.toLowerCase() === `${verb}input`) ?? []
      const [other] = looks.find(([name, each]) => each === look && signature.includes(`: ${name})`)) ?? []
      return own !== undefined && other !== undefined ? signature.replace(`: ${other})`, `: ${own})`) : signature
    },
    long: (type, name) => {
      const line = named(look(type), name)
      if (line.length <= longestLine) return ` ${line}`
      return inLines(type.isUnionType() ? (type.getTypes() ?? []).map(each => named(look(each), name)) : [line])
    },
  }

  function name(type: Type): string {
    return tidy(checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation))
  }

  function look(type: Type): string {
    return tidy(checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation | NodeBuilderFlags.InTypeAlias))
  }

  function named(text: string, but: string): string {
    return looks.reduce((text, [name, look]) => (name === but ? text : text.replaceAll(look, name)), text)
  }
}

const longestLine = 100

/** As many members on a line as it has room for. */
function inLines(members: readonly string[]): string {
  const lines: string[] = []
  for (const member of members) {
    const longer = `${lines.at(-1)} | ${member}`
    if (lines.length === 0 || longer.length > longestLine) lines.push(member)
    else lines[lines.length - 1] = longer
  }
  return lines.map(line => `\n  | ${line}`).join('')
}

/** What only the compiler has a use for is left out: type parameters, and what follows from them. */
function plain(text: string): string {
  return text
    .replaceAll('Hub<never>', 'RemoteHub')
    .replaceAll('(Paths | AttachmentInput)', 'AttachedFile')
    .replaceAll('Given extends { id: infer Id extends string } ? Id : string', 'string')
    .replaceAll('SelectedOf[]', 'string[]')
}

/** What may be left out may be undefined; that is said once. */
function tidy(text: string): string {
  return text
    .replaceAll(' | undefined', '')
    .replaceAll('undefined | ', '')
    .replaceAll('Uint8Array<ArrayBufferLike>', 'Uint8Array')
    .replaceAll('<Paths>', '')
    .replaceAll('<Given>', '')
    .replaceAll(/\b(Settlement|RequestPage|Used)<Request>/g, '$1')
    .replaceAll(/\b(Hub|Ask|QuestionAsk|FormAsk|DependencyAsk|ApprovalAsk|ReviewAsk)<string>/g, '$1')
    .replaceAll('"', "'")
    .replaceAll('; }', ' }')
}

function docOf(checker: Checker, symbol: Symbol): string {
  return checker
    .getDocumentationCommentOfSymbol(symbol)
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
}

function code(source: string): string {
  return `\`${source.replaceAll('|', '\\|')}\``
}

function cell(source: string): string {
  return source.replaceAll('|', '\\|')
}

function link(name: string): string {
  return `[${name}](#${name.toLowerCase()})`
}

function block(source: string): string {
  return `\`\`\`ts\n${source}\n\`\`\``
}

if (import.meta.main) writeFileSync(join(root, 'docs/reference.md'), libraryReference())
