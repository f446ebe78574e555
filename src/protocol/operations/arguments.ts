import { BeckonError } from '../errors.ts'
import type { Operation } from './operation.ts'

// How the arguments of a verb travel: the path's parameters come first, in their order; then the body, or fields of it;
// then the query. The server reads a call by this, and clients write one.

export interface CallParts {
  params: Record<string, string>
  body: unknown
  query: object
}

/** The verb's arguments, out of a call. */
export function readArguments(operation: Operation, { params, body, query }: CallParts): unknown[] {
  const { bodyArguments, pathInBody, path } = operation
  if (pathInBody) return [{ ...(body as object), ...params }]
  const fromPath = paramsOf(path).map(name => params[name])
  if (bodyArguments) return [...fromPath, ...bodyArguments.map(field => (body as Record<string, unknown>)[field])]
  return [...fromPath, ...(carriesDocument(operation) ? [body] : []), ...(operation.query ? [query] : [])]
}

/** The address and body of the call, out of the verb's arguments. */
export function writeCall(operation: Operation, args: readonly unknown[]): { path: string; body: unknown } {
  const { bodyArguments, pathInBody, query } = operation
  const names = paramsOf(operation.path)
  if (pathInBody) {
    const body = { ...(args[0] as object) } as Record<string, unknown>
    const params = names.map(name => body[name])
    for (const name of names) delete body[name]
    return { path: fillPath(operation.path, params), body }
  }
  const [first, second] = args.slice(names.length)
  const document = carriesDocument(operation)
  const search = query ? queryString((document ? second : first) as object | undefined) : ''
  const fields = bodyArguments?.map((field, i) => [field, args[names.length + i]] as const)
  const body = fields
    ? Object.fromEntries(fields)
    : document
      ? (first ?? {})
      : operation.body === 'Empty'
        ? {}
        : undefined
  return { path: fillPath(operation.path, args) + search, body }
}

function carriesDocument({ body }: Operation): boolean {
  return body !== undefined && body !== 'Empty' && body !== 'bytes'
}

const knownParams = new Map<string, readonly string[]>()

function paramsOf(path: string): readonly string[] {
  const known = knownParams.get(path)
  if (known) return known
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
  knownParams.set(path, params)
  return params
}

/** A name may be any text. Anything else must look like an id: otherwise it is the id of nothing, not another path. */
function fillPath(path: string, values: readonly unknown[]): string {
  let i = 0
  return path.replaceAll(/:(\w+)/g, (_, name) => {
    const value = String(values[i++])
    if (name === 'name') return encodeURIComponent(value.toWellFormed())
    if (/^[\w-]{1,100}$/.test(value)) return value
    throw new BeckonError('not_found', `There is no ${JSON.stringify(value)}.`)
  })
}

function queryString(values: object = {}): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  return given.length === 0 ? '' : `?${query}`
}
