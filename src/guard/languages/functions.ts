import { unknownText } from '../interpret/arguments.ts'
import { decodeBase64, decodeHex } from '../interpret/decode.ts'

/** What a well-known function returns, by the last part of its name. `sources` are its arguments as they are written. */
export function callFunction(name: string, args: readonly string[], sources: readonly string[], home: string): string {
  const [first = unknownText, second = ''] = args
  switch (
    name
      .split(/[.:/>]/)
      .at(-1)
      ?.replace(/[!?]$/, '')
      .toLowerCase() ??
    ''
  ) {
    case 'expanduser':
    case 'expand_path':
    case 'expand':
    case 'path_expand':
      return first.replace(/^~(?=\/|$)/, home)
    case 'join':
    case 'resolve':
    case 'joinpath':
    case 'file_path':
      return joinedPath(name, args)
    case 'get':
    case 'of':
      return /\bPaths?\./.test(name) ? joinedPath(name, args) : unknownText
    case 'path':
    case 'purepath':
    case 'pathname':
    case 'file':
    case 'directory':
      return args.length > 1 && !args.includes(unknownText) ? joinedPath('path', args) : first
    case 'new':
      return args.length > 1 && /^(?:File|Path|Pathname)\b/.test(name) ? joinedPath('path', args) : first
    case 'abspath':
    case 'realpath':
    case 'normalize':
    case 'str':
    case 'string':
    case 'paste0':
    case 'concat':
    case 'concatenate':
    case 'string_append':
      return args.map(arg => arg.replaceAll('\x01', '')).join('')
    case 'paste':
      return args.join(' ')
    case 'list':
    case 'sorted':
    case 'set':
    case 'tuple':
    case 'iter':
    case 'c':
    case 'vec':
    case 'asarray':
      return args.length > 1 && name !== 'sorted'
        ? args.map(arg => (arg.startsWith('\x01') ? arg : `\x01${arg}`)).join('')
        : first
    case 'str2func':
    case 'bytes':
    case 'bytearray':
    case 'compile':
    case 'parse':
    case 'char':
    case 'basename':
      return first.startsWith('\x01') ? fromCodes(first.slice(1).split('\x01'), sources) : first
    case 'chr':
    case 'fromcharcode':
    case 'fromcodepoint':
      return fromCodes(args, sources)
    case 'map':
      return /^\s*(?:chr|char)\b/.test(sources[0] ?? '') ? listOf([...fromCodes([], sources.slice(1))]) : unknownText
    case 'reversed':
    case 'strrev':
    case 'reverse':
      return reversed(first)
    case 'implode':
      return joinedList(first, second)
    case 'from':
      return first.startsWith('\x01') ? fromCodes([], sources) : decoded(first, second || 'utf8')
    case 'b64decode':
    case 'urlsafe_b64decode':
    case 'atob':
    case 'base64_decode':
    case 'decode64':
    case 'strict_decode64':
    case 'urlsafe_decode64':
    case 'decode_base64':
    case 'base64decode':
    case 'debase64':
      return decoded(first, 'base64')
    case 'unhexlify':
    case 'fromhex':
    case 'hex2bin':
    case 'a2b_hex':
      return decoded(first, 'hex')
    case 'pack':
      return /^H/.test(first)
        ? decoded(second, 'hex')
        : /^[CcUW]/.test(first)
          ? fromCodes([], sources.slice(1))
          : unknownText
    case 'decode':
      return second === '' ? (/base64/i.test(name) ? decoded(first, 'base64') : first) : decoded(first, second)
    case 'str_rot13':
      return rot13(first)
    case 'sprintf':
    case 'format':
    case 'printf':
      return formatted(first, args.slice(1), sources.slice(1))
    // A folder whose files are listed.
    case 'listdir':
    case 'scandir':
    case 'walk':
    case 'walkfiletree':
    case 'readdirsync':
    case 'readdir':
    case 'readdirplus':
    case 'children':
    case 'entries':
    case 'each_child':
    case 'find':
    case 'list_files':
    case 'listfiles':
    case 'read_dir':
    case 'walkdir':
    case 'getfiles':
    case 'getdirectories':
    case 'recursivedirectoryiterator':
    case 'directoryiterator':
      return /[*?]/.test(first) || first === unknownText ? first : `${first.replace(/\/$/, '')}/*`
    case 'recursiveiteratoriterator':
      return first
    case 'glob':
    case 'iglob':
    case 'sync':
    case 'globsync':
    case 'wildcard':
    case 'sys_glob':
      return first.replace(/^~(?=\/|$)/, home)
    case 'split':
      return args.length === 1 ? first : unknownText
    default:
      return unknownText
  }
}

/** What a well-known method of a string, a list or a path returns. */
export function callMethod(value: string, name: string, args: readonly string[]): string {
  const [first = unknownText, second = unknownText] = args
  const method = name.replace(/[!?]$/, '').toLowerCase()
  if (sameValue.has(method)) return value
  switch (method) {
    case 'join':
      if (value.startsWith('\x01')) return joinedList(args.length > 0 ? first : '', value)
      if (first.startsWith('\x01')) return joinedList(value, first)
      return first === unknownText && !value.includes('/') ? unknownText : [value, ...args].join('/')
    case 'joinpath':
    case 'resolve':
    case 'child':
      return [value, ...args].join('/')
    case 'reverse':
    case 'reversed':
      return reversed(value)
    case 'concat':
      return [value, ...args].join('')
    case 'split':
      return first === unknownText ? listOf(value.trim().split(/\s+/)) : listOf(value.split(first))
    case 'chars':
      return listOf([...value])
    case 'replace':
    case 'replaceall':
    case 'gsub':
    case 'sub':
      return first === unknownText || second === unknownText ? unknownText : value.replaceAll(first, second)
    case 'lower':
    case 'tolowercase':
    case 'downcase':
      return value.toLowerCase()
    case 'upper':
    case 'touppercase':
    case 'upcase':
      return value.toUpperCase()
    case 'format':
      return formatted(value, args, [])
    case 'glob':
      return args.length > 0 ? `${value}/${first}` : value
    case 'rglob':
      return `${value}/**/${first}`
    case 'iterdir':
    case 'children':
    case 'each_child':
    case 'listfiles':
    case 'list':
    case 'walk':
      return /[*?]/.test(value) ? value : `${value}/*`
    case 'unpack1':
    case 'unpack':
      return /^m/.test(first) ? decoded(value, 'base64') : unknownText
    case 'pack':
      return /^H/.test(first)
        ? decoded(value.replaceAll('\x01', ''), 'hex')
        : fromCodes([], [value.replaceAll('\x01', ',')])
    case 'decode':
    case 'tostring':
      return /^(?:base64|hex|rot.?13)/i.test(first) ? decoded(value, first) : value
    case 'parent':
    case 'dirname':
      return value.slice(0, Math.max(0, value.lastIndexOf('/')))
    default:
      return unknownText
  }
}

const sameValue = new Set(
  `strip trim to_s to_str to_string to_owned tostr into clone as_str as_path to_path encode expanduser absolute as_posix sorted sort sort_by filter
  select reject to_a tolist toarray collect stream iter into_iter unwrap expect unwrap_or_default flatten values lazy each_with_index tofile topath
  getpath path name valueof text freeze itself to_sym fspath display toabsolutepath then`.split(/\s+/),
)

function listOf(items: readonly string[]): string {
  return items.map(item => `\x01${item}`).join('')
}

function joinedList(separator: string, list: string): string {
  return list.startsWith('\x01') ? list.slice(1).split('\x01').join(separator) : list
}

/** `os.path.join(a, b)`; Perl's and PHP's `join(separator, list)`. */
function joinedPath(name: string, args: readonly string[]): string {
  const [first = unknownText, second = ''] = args
  if (name === 'join' && (second.startsWith('\x01') || first === '')) {
    return joinedList(
      first,
      args
        .slice(1)
        .map(arg => (arg.startsWith('\x01') ? arg : `\x01${arg}`))
        .join(''),
    )
  }
  const parts = args.map(arg => (arg.startsWith('\x01') ? arg.slice(1).replaceAll('\x01', '/') : arg))
  return parts.length === 0
    ? unknownText
    : parts.reduce((path, part) => (part.startsWith('/') ? part : `${path}/${part}`))
}

function reversed(value: string): string {
  if (value.startsWith('\x01')) return listOf(value.slice(1).split('\x01').reverse())
  return [...value].reverse().join('')
}

/** Characters by their numbers, which are written out in the arguments. */
function fromCodes(_args: readonly string[], sources: readonly string[]): string {
  const text = sources.join(',')
  if (!/^[\s[\](){},\w«»]*$/.test(text)) return unknownText
  const codes = text.match(/\b(?:0x[0-9a-fA-F]+|\d+)\b/g) ?? []
  if (codes.length === 0 || codes.length > 500) return unknownText
  return codes.map(code => String.fromCodePoint(Math.min(Number(code), 0x10ffff))).join('')
}

function decoded(text: string, encoding: string): string {
  if (/^base64/i.test(encoding)) return decodeBase64(text) ?? unknownText
  if (/^hex/i.test(encoding)) return decodeHex(text) ?? unknownText
  if (/^rot.?13/i.test(encoding)) return rot13(text)
  return text
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, char => {
    const base = char <= 'Z' ? 65 : 97
    return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base)
  })
}

/** `"{}/x".format(a)`, `sprintf("%s/x", a)`, `sprintf("%c%c", 114, 109)`. */
function formatted(format: string, values: readonly string[], sources: readonly string[]): string {
  let next = 0
  return format.replace(/\{\w*\}|%[-\d.]*[sdcvq]/g, found => {
    const i = next++
    if (found.endsWith('c') && /^\s*\d+\s*$/.test(sources[i] ?? ''))
      return String.fromCodePoint(Number(sources[i]) % 0x10ffff)
    return values[i] ?? unknownText
  })
}
