import { unknownText } from '../interpret/arguments.ts'
import { decoded, formatted, fromCodes, joinedList, listOf, reversed, rot13 } from './text-values.ts'

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
    case 'symbol':
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
    case 'to_atom':
    case 'to_existing_atom':
    case 'list_to_atom':
    case 'intern':
    case 'bytes':
    case 'bytearray':
    case 'compile':
    case 'parse':
    case 'basename':
      return first.startsWith('\x01') ? fromCodes(first.slice(1).split('\x01'), sources) : first
    case 'chr':
    case 'char':
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
      return first.startsWith('\x01') ? joinedList(second, first) : joinedList(first, second)
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
