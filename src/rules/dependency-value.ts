import validateName from 'validate-npm-package-name'
import { dependencyLimits, limits } from '../protocol/limits.ts'
import { textProblem } from '../protocol/text.ts'
import { contains, grammarOf, isAbsolute, isPlainRelative, type PathGrammar, resolvePath } from './file-paths.ts'

/** The value to store, a decline (a refused permission is never a value), or the reason why the value is invalid. */
export type DependencyVerdict =
  | { valid: true; value: string; declines?: never; error?: never }
  | { valid: true; declines: true; value?: never; error?: never }
  | { valid: false; error: string; value?: never; declines?: never }

/** Where a file may be. */
export interface FileContext {
  /** The asker's working directory, absolute. */
  directory: string
  /** The request allows files outside the directory. */
  outside?: boolean
  /** The folder for files that people upload for this request; files in it are allowed too. */
  uploads?: string
  /**
   * The path with its symbolic links resolved; null where nothing has that name. For a dangling link it must return the
   * target, because writing through the link creates the file there.
   */
  realpath?: (path: string) => string | null
  /** What is at an absolute path, links followed; given only where the asker's files can be seen. */
  kindOf?: (path: string) => FileKind | null
}

export type FileKind = 'file' | 'folder' | 'other' | 'hidden'

/** Errors never repeat the value: it may be a secret, or contain a password. */
export function validateDependencyValue(type: string, value: string, context?: FileContext): DependencyVerdict {
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
      return validateFile(trimmed, context)
    case 'permission':
      return validatePermission(trimmed)
    case 'package':
      return validatePackage(trimmed)
    case 'password':
      return validatePassword(value)
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

/** The program that asked reads one line, and takes it as it is: spaces count. */
function validatePassword(value: string): DependencyVerdict {
  if (value.length > dependencyLimits.password) return refuse('Password too long')
  return /[\r\n]/.test(value) ? refuse('A password is a single line') : accept(value)
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
  // `new URL` silently drops tabs and newlines, but the agent gets the text as it was given.
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^\s\p{Cc}]+)$/iu.exec(url) ?? []
  if (scheme === '') return refuse('Invalid URL format: write it as scheme://host')
  const known = scheme.toLowerCase()
  // A database scheme may name its driver: mongodb+srv, postgresql+asyncpg, neo4j+s.
  const [family = ''] = known.split('+')
  if (!webSchemes.includes(known) && !serviceSchemes.includes(family)) {
    return refuse(
      'This URL scheme is not allowed; use http, https, or the scheme of a service, such as postgres or redis',
    )
  }
  return hostsOf(known, rest).every(host => isHost(known, host))
    ? accept(url)
    : refuse('Invalid URL format: no valid host')
}

// A cluster has several hosts, `mongodb://a:1,b:2/db`, which `new URL` takes for an invalid port.
function hostsOf(scheme: string, rest: string): string[] {
  const [authority = ''] = rest.split(scheme === 'sqlserver' ? /[/?#;]/ : /[/?#]/)
  const hosts = authority.slice(authority.lastIndexOf('@') + 1)
  return webSchemes.includes(scheme) ? [hosts] : hosts.split(',')
}

function isHost(scheme: string, host: string): boolean {
  const url = URL.parse(`${scheme}://${host}/`)
  return host !== '' && url !== null && url.hostname !== ''
}

function validateFile(file: string, context?: FileContext): DependencyVerdict {
  if (context?.uploads !== undefined && isUpload(file, { ...context, directory: context.uploads })) {
    return existing(file, context)
  }
  if (file.length > dependencyLimits.file) return refuse('File path too long')
  if (/^~($|[\\/])/.test(file)) return refuse('~ is not expanded here: write the full path')
  if (context?.outside) return existing(file, context)
  const grammar = context && grammarOf(context.directory)
  const isInside = context && grammar ? staysInside(file, context, grammar) : isPlainRelative(file)
  return isInside
    ? existing(file, context)
    : refuse('Path traversal detected: the file must be inside the working directory')
}

/** An agent cannot go on with a file that is not there. */
function existing(file: string, context?: FileContext): DependencyVerdict {
  const grammar = context && grammarOf(context.directory)
  if (!context?.kindOf || !grammar) return accept(file)
  // Not resolved: in `link/../x`, `..` is the parent of the link's target.
  const path = isAbsolute(file, grammar) ? file : `${context.directory}${grammar.separator}${file}`
  switch (context.kindOf(path)) {
    case 'file':
    case 'hidden':
      return accept(file)
    case 'folder':
      return refuse('This is a folder, and a file is needed')
    case 'other':
      return refuse('This is not a regular file')
    case null:
      return refuse(
        `There is no such file (paths are relative to ${context.directory}). Check the path, or upload the file`,
      )
  }
}

function isUpload(file: string, context: FileContext): boolean {
  const grammar = grammarOf(context.directory)
  if (grammar === null || !isAbsolute(file, grammar) || file.length > limits.path) return false
  return staysInside(file, context, grammar)
}

function staysInside(file: string, { directory, realpath }: FileContext, grammar: PathGrammar): boolean {
  const target = resolvePath(directory, file, grammar)
  if (!realpath) return contains(directory, target, grammar)
  const realDirectory = realpath(directory) ?? directory
  if (!contains(directory, target, grammar) && !contains(realDirectory, target, grammar)) return false
  return contains(realDirectory, followLinks(file, realDirectory, realpath, grammar), grammar)
}

// Step by step, as the kernel does it: in `link/../x`, `..` is the parent of the link's target.
function followLinks(
  file: string,
  directory: string,
  realpath: (path: string) => string | null,
  grammar: PathGrammar,
): string {
  const { rootLength } = grammar.parse(file)
  let here = rootLength > 0 ? resolvePath(directory, file.slice(0, rootLength), grammar) : directory
  for (const step of file.slice(rootLength).split(grammar.separators)) {
    const next = resolvePath(here, step, grammar)
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
  // npm takes these for files in the working directory, as a name and as a version.
  if (/\.(tgz|tar|tar\.gz)(@|$)/i.test(source)) return refuse('Invalid package name format')
  const good = source.length <= 1_000 && isPackageName(name) && (version === undefined || isVersion(version))
  return good ? accept(source) : refuse('Invalid package name format')
}

// Nobody can publish a package named like a core module any more, but older ones are in use: events, buffer, punycode.
function isPackageName(name: string): boolean {
  const { validForOldPackages, warnings = [] } = validateName(name)
  return (
    validForOldPackages && !name.startsWith('@.') && warnings.every(warning => warning.endsWith('core module name'))
  )
}

const partial = /^(?:[<>]=?|=|~>?|\^)?v?(?:\d+|[x*])(?:\.(?:\d+|[x*])(?:\.(?:\d+|[x*])(?:-[\w.-]+)?(?:\+[\w.-]+)?)?)?$/i

// A dist-tag or a semver range. Anything else that npm installs (URLs, paths, aliases) may be other code than the name says.
function isVersion(version: string): boolean {
  if (/^[a-z0-9][\w.-]*$/i.test(version)) return true
  return version.split('||').every(range => boundsOf(range.trim()).every(bound => partial.test(bound)))
}

function boundsOf(range: string): string[] {
  const [, from, to] = /^([^ ]+) +- +([^ ]+)$/.exec(range) ?? []
  return from && to ? [from, to] : range.replaceAll(/([<>=~^]) +/g, '$1').split(/ +/)
}
