import { unknownText } from '../interpret/arguments.ts'
import { decoded, formatted, fromCodes, joinedList, listOf, reversed } from './text-values.ts'

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
