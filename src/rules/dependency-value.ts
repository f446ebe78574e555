import * as path from 'node:path'
import validateName from 'validate-npm-package-name'
import { dependencyLimits, limits } from '../protocol/limits.ts'
import { textProblem } from '../protocol/text.ts'

/** A value as it is to be stored, a no (a permission refused is a decline and never a value), or a reason. */
export type DependencyVerdict =
  | { valid: true; value: string; declines?: never; error?: never }
  | { valid: true; declines: true; value?: never; error?: never }
  | { valid: false; error: string; value?: never; declines?: never }

/** Where a file may lie. */
export interface FileContext {
  /** The asker's own directory, absolute. */
  directory: string
  /** The request allows files outside of it. */
  outside?: boolean
  /** Where files lie that people uploaded for this request: there they are welcome, too. */
  uploads?: string
  /**
   * The path with its symbolic links resolved; null where there is nothing by that name. For a link that leads
   * nowhere it must say where that is, because writing through such a link makes the file there.
   */
  realpath?: (path: string) => string | null
}

/** Errors never repeat the value: it may be a secret, or carry a password. */
export function validateDependencyValue(type: string, value: string, place?: FileContext): DependencyVerdict {
  const trimmed = value.trim()
  if (trimmed === '') return refuse('Value cannot be empty')
  const problem = textProblem(value, Number.POSITIVE_INFINITY)
  if (problem) return refuse(`Value ${problem}`)

  switch (type) {
    case 'api_key':
      return validateApiKey(trimmed)
    case 'env_variable':
      return validateEnvVariable(value)
    case 'service':
      return validateService(trimmed)
    case 'file':
      return validateFile(trimmed, place)
    case 'permission':
      return validatePermission(trimmed)
    case 'package':
      return validatePackage(trimmed)
    default:
      return refuse(`Unknown dependency type: ${type}`)
  }
}

function accept(value: string): DependencyVerdict {
  return { valid: true, value }
}

function refuse(error: string): DependencyVerdict {
  return { valid: false, error }
}

function validateApiKey(key: string): DependencyVerdict {
  if (key.length < dependencyLimits.apiKeyMin) return refuse('API key too short')
  if (key.length > dependencyLimits.apiKeyMax) return refuse('API key too long')
  if (!/^[\x21-\x7e]+$/.test(key)) return refuse('Invalid API key format: it has no spaces and only ASCII characters')
  return accept(key)
}

function validateEnvVariable(value: string): DependencyVerdict {
  return value.length > dependencyLimits.envVariable ? refuse('Environment variable too long') : accept(value)
}

const webSchemes = ['http', 'https', 'ws', 'wss']
const serviceSchemes = [
  ...['postgres', 'postgresql', 'cockroachdb', 'mysql', 'mariadb', 'sqlserver', 'mssql', 'oracle', 'libsql'],
  ...[
    'mongodb',
    'redis',
    'rediss',
    'valkey',
    'valkeys',
    'memcached',
    'clickhouse',
    'cassandra',
    'couchdb',
    'couchbase',
  ],
  ...['couchbases', 'elasticsearch', 'opensearch', 'influxdb', 'neo4j', 'bolt', 'etcd', 's3', 'gs'],
  ...['amqp', 'amqps', 'nats', 'mqtt', 'mqtts', 'kafka', 'pulsar', 'stomp'],
  ...['smtp', 'smtps', 'imap', 'imaps', 'pop3', 'pop3s', 'ldap', 'ldaps', 'grpc', 'grpcs', 'tcp', 'udp', 'tls'],
]

function validateService(url: string): DependencyVerdict {
  if (url.length > dependencyLimits.service) return refuse('URL too long')
  // `new URL` drops tabs and newlines in silence; what is delivered is the text as it was given.
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^\s\p{Cc}]+)$/iu.exec(url) ?? []
  if (scheme === '') return refuse('Invalid URL format: write it as scheme://host')
  const known = scheme.toLowerCase()
  // A database scheme may name its driver: mongodb+srv, postgresql+asyncpg, neo4j+s.
  const [family = ''] = known.split('+')
  if (!webSchemes.includes(known) && !serviceSchemes.includes(family)) {
    return refuse('This URL scheme is not allowed; use http, https, or that of a service, such as postgres or redis')
  }
  return hostsOf(known, rest).every(host => isHost(known, host))
    ? accept(url)
    : refuse('Invalid URL format: no valid host')
}

// Clusters are written with several hosts, `mongodb://a:1,b:2/db`, which `new URL` takes for a broken port.
function hostsOf(scheme: string, rest: string): string[] {
  const [authority = ''] = rest.split(scheme === 'sqlserver' ? /[/?#;]/ : /[/?#]/)
  const hosts = authority.slice(authority.lastIndexOf('@') + 1)
  return webSchemes.includes(scheme) ? [hosts] : hosts.split(',')
}

function isHost(scheme: string, host: string): boolean {
  const url = URL.parse(`${scheme}://${host}/`)
  return host !== '' && url !== null && url.hostname !== ''
}

function validateFile(file: string, place?: FileContext): DependencyVerdict {
  if (place?.uploads !== undefined && isUpload(file, { ...place, directory: place.uploads })) return accept(file)
  if (file.length > dependencyLimits.file) return refuse('File path too long')
  if (/^~($|[\\/])/.test(file)) return refuse('~ is not expanded here: write the path in full')
  if (place?.outside) return accept(file)
  const grammar = place && grammarOf(place.directory)
  const stays = place && grammar ? staysInside(file, place, grammar) : isPlainRelative(file)
  return stays ? accept(file) : refuse('Path traversal detected: the file must lie inside of the working directory')
}

function isUpload(file: string, place: FileContext): boolean {
  const grammar = grammarOf(place.directory)
  return grammar?.isAbsolute(file) === true && file.length <= limits.path && staysInside(file, place, grammar)
}

// By the directory and not by this process: a hub on Linux also serves agents on Windows.
function grammarOf(directory: string): path.PlatformPath | null {
  if (path.posix.isAbsolute(directory)) return path.posix
  return /^[a-z]:[\\/]|^\\\\/i.test(directory) ? path.win32 : null
}

function isPlainRelative(file: string): boolean {
  return [path.posix, path.win32].every(
    grammar => grammar.parse(file).root === '' && grammar.normalize(file).split(grammar.sep)[0] !== '..',
  )
}

function staysInside(file: string, { directory, realpath }: FileContext, grammar: path.PlatformPath): boolean {
  const target = grammar.resolve(directory, file)
  if (!realpath) return contains(directory, target, grammar)
  const realDirectory = realpath(directory) ?? directory
  if (!contains(directory, target, grammar) && !contains(realDirectory, target, grammar)) return false
  return contains(realDirectory, follow(file, realDirectory, realpath, grammar), grammar)
}

// By path segments: /work/app-old is not inside of /work/app, though its name starts like it.
function contains(directory: string, target: string, grammar: path.PlatformPath): boolean {
  const way = grammar.relative(directory, target)
  return way.split(grammar.sep)[0] !== '..' && !grammar.isAbsolute(way)
}

// Step by step as the kernel does it: in `link/../x` the `..` is the parent of where the link leads.
function follow(
  file: string,
  directory: string,
  realpath: (path: string) => string | null,
  grammar: path.PlatformPath,
): string {
  const { root } = grammar.parse(file)
  let here = root ? grammar.resolve(directory, root) : directory
  for (const step of file.slice(root.length).split(grammar === path.win32 ? /[\\/]/ : '/')) {
    const next = grammar.resolve(here, step)
    here = step === '..' ? next : (realpath(next) ?? next)
  }
  return here
}

function validatePermission(value: string): DependencyVerdict {
  const word = value.toLowerCase()
  if (['yes', 'true', 'y'].includes(word)) return accept('yes')
  if (['no', 'false', 'n'].includes(word)) return { valid: true, declines: true }
  return refuse('Permission must be true/false or yes/no')
}

function validatePackage(source: string): DependencyVerdict {
  const [, name = '', version] = /^((?:@[^/@]*\/)?[^/@]*)(?:@(.+))?$/.exec(source) ?? []
  // To npm these are files of the working directory, whether they stand as the name or as the version.
  if (/\.(tgz|tar|tar\.gz)(@|$)/i.test(source)) return refuse('Invalid package name format')
  const good = source.length <= 1_000 && isPackageName(name) && (version === undefined || isVersion(version))
  return good ? accept(source) : refuse('Invalid package name format')
}

// Names of core modules may no longer be taken, but those that were are in use: events, buffer, punycode.
function isPackageName(name: string): boolean {
  const { validForOldPackages, warnings = [] } = validateName(name)
  return (
    validForOldPackages && !name.startsWith('@.') && warnings.every(warning => warning.endsWith('core module name'))
  )
}

const partial = /^(?:[<>]=?|=|~>?|\^)?v?(?:\d+|[x*])(?:\.(?:\d+|[x*])(?:\.(?:\d+|[x*])(?:-[\w.-]+)?(?:\+[\w.-]+)?)?)?$/i

// A dist-tag, or a semver range. Whatever else npm would install (URLs, paths, aliases) is somebody else's code.
function isVersion(version: string): boolean {
  if (/^[a-z0-9][\w.-]*$/i.test(version)) return true
  return version.split('||').every(range => boundsOf(range.trim()).every(bound => partial.test(bound)))
}

function boundsOf(range: string): string[] {
  const [, from, to] = /^([^ ]+) +- +([^ ]+)$/.exec(range) ?? []
  return from && to ? [from, to] : range.replaceAll(/([<>=~^]) +/g, '$1').split(/ +/)
}
