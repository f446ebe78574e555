// Paths of the asker's machine, judged without Node: a hub on Linux also serves agents on Windows, and the page has no Node.
// A path is read by the grammar of the directory that it is relative to, and not by that of this process.

interface ParsedPath {
  /** The drive or share, in upper case; empty without one. */
  device: string
  /** Whether it begins at the root of its device. */
  isRooted: boolean
  names: string[]
  /** How many characters come before the names. */
  rootLength: number
}

export interface PathGrammar {
  readonly separator: string
  readonly separators: RegExp
  parse(path: string): ParsedPath
  isSameName(one: string, other: string): boolean
  isName(name: string): boolean
}

const posix: PathGrammar = {
  separator: '/',
  separators: /\//,
  parse(path) {
    const isRooted = path.startsWith('/')
    return { device: '', isRooted, names: path.slice(Number(isRooted)).split('/'), rootLength: Number(isRooted) }
  },
  isSameName: (one, other) => one === other,
  isName: () => true,
}

const windows: PathGrammar = {
  separator: '\\',
  separators: /[\\/]/,
  parse(path) {
    const [root = '', , server, share, drive] =
      /^(?:([\\/]{2})([^\\/]+)[\\/]+([^\\/]+)(?:[\\/]|$)|([a-z]:)[\\/]?|[\\/])/i.exec(path) ?? []
    const device = server ? `\\\\${server}\\${share}`.toUpperCase() : (drive?.toUpperCase() ?? '')
    const isRooted = server !== undefined || /[\\/]$/.test(root)
    return { device, isRooted, names: path.slice(root.length).split(/[\\/]/), rootLength: root.length }
  },
  isSameName: (one, other) => one.toLowerCase() === other.toLowerCase(),
  // A drive in the middle of a path is not the name of a file.
  isName: name => !/^[a-z]:/i.test(name),
}

/** Null where the directory is not absolute in either grammar. */
export function grammarOf(directory: string): PathGrammar | null {
  if (directory.startsWith('/')) return posix
  return /^[a-z]:[\\/]|^\\\\/i.test(directory) ? windows : null
}

export function isAbsolute(path: string, grammar: PathGrammar): boolean {
  return grammar.parse(path).isRooted
}

/** Whether the path is relative and does not lead up, in both grammars. */
export function isPlainRelative(path: string): boolean {
  return [posix, windows].every(({ parse }) => {
    const { device, isRooted, names } = parse(path)
    return device === '' && !isRooted && collapse(names)[0] !== '..'
  })
}

/** An absolute path without `.` and `..`; `path` may be relative to the directory, which is absolute. */
export function resolvePath(directory: string, path: string, grammar: PathGrammar): string {
  const base = grammar.parse(directory)
  const { device, isRooted, names } = grammar.parse(path)
  // `C:x` is relative to the directory on its own drive. The directory on another drive is not known: its root stands for it.
  const isOtherDevice = device !== '' && device !== base.device
  const start = isRooted || isOtherDevice ? [] : base.names
  const resolved = collapse([...start, ...names]).filter(name => name !== '..')
  return `${device || base.device}${grammar.separator}${resolved.join(grammar.separator)}`
}

/** By whole names: /work/app-old is not inside /work/app, although it starts with it. */
export function contains(directory: string, path: string, grammar: PathGrammar): boolean {
  const outer = grammar.parse(resolvePath(directory, '', grammar))
  const inner = grammar.parse(resolvePath(path, '', grammar))
  const names = outer.names.filter(Boolean)
  const isBelow = names.every((name, i) => grammar.isSameName(name, inner.names[i] ?? ''))
  return outer.device === inner.device && isBelow && inner.names.slice(names.length).every(grammar.isName)
}

function collapse(names: readonly string[]): string[] {
  const kept: string[] = []
  for (const name of names) {
    if (name === '' || name === '.') continue
    if (name === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else kept.push(name)
  }
  return kept
}
