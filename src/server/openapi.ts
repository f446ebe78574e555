import * as z from 'zod'
import type { Operation } from '../protocol/operations/index.ts'
import { bodies, type QueryName, queries, results } from '../protocol/operations/schemas.ts'

type Json = Record<string, unknown>

/** The HTTP API as OpenAPI 3.1, made from the table and from the schemas that read what is sent. */
export function describeApi(operations: readonly Operation[], version: string, url: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Beckon',
      version,
      description: 'Agents ask. A person answers. The agent carries on.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: [{ token: [] }, { session: [] }],
    paths: describePaths(operations),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token: `beckon token create`.' },
        session: { type: 'apiKey', in: 'cookie', name: 'beckon', description: 'A browser that is signed in.' },
      },
      schemas: { ...components(bodies, 'input'), ...components(results, 'output') },
    },
  }
}

function describePaths(operations: readonly Operation[]): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) }
  }
  return paths
}

function describeOperation(operation: Operation): Json {
  const { method, path, name, summary, scope, query, body, statuses = {}, status = 200 } = operation
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    in: 'path',
    name,
    required: true,
    schema: { type: 'string' },
  }))
  const parameters = [...inPath, ...(query ? describeQuery(query as QueryName) : [])]
  return {
    operationId: name,
    summary,
    tags: [path.split('/')[2] ?? 'server'],
    ...(scope === null ? { security: [] } : { description: `Needs the scope \`${scope}\`.` }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: method !== 'DELETE', content: describeBody(body) } } : {}),
    responses: {
      [status]: { description: 'Done.', content: describeResult(operation) },
      ...Object.fromEntries(Object.entries(statuses).map(([status, text]) => [status, describeFault(text)])),
      default: describeFault('Refused; the code says why.'),
    },
  }
}

function describeQuery(name: QueryName): Json[] {
  const { properties = {}, required = [] } = jsonSchema(queries[name]) as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, schema]) => ({
    in: 'query',
    name,
    required: required.includes(name),
    schema,
  }))
}

function describeBody(body: string): Json {
  return body === 'bytes' ? { 'application/octet-stream': {} } : jsonContent(body)
}

function describeResult({ form = 'json', result = 'Document' }: Operation): Json {
  if (form === 'stream') return { ...jsonContent(result), 'text/event-stream': { schema: { type: 'string' } } }
  if (form === 'text') return { 'text/plain': { schema: { type: 'string' } } }
  if (form === 'html') return { 'text/html': { schema: { type: 'string' } } }
  if (form === 'bytes') return { 'application/octet-stream': {} }
  return jsonContent(result)
}

function describeFault(description: string): Json {
  return { description, content: jsonContent('Error') }
}

function jsonContent(schema: string): Json {
  return { 'application/json': { schema: { $ref: refTo(schema) } } }
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`
}

/** Named schemas, which refer to each other where one is part of another. */
function components(named: Record<string, z.ZodType>, io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { io, unrepresentable: 'any', uri: refTo })
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutId(schema)]))
}

/** A refinement says more than a shape; only the error can tell that. */
function jsonSchema(schema: z.ZodType): Json {
  return withoutId(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }))
}

function withoutId({ $schema: _, $id: __, ...schema }: Json): Json {
  return schema
}
