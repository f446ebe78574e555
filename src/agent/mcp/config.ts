import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { workspaceOf } from '../../approval/workspace.ts'
import { workspaceReader } from '../../approval/workspace-reader.ts'

const name = z.string().regex(/^[\w.-]{1,60}$/, 'must consist of letters, digits, ".", "_" and "-"')
const texts = z.record(z.string(), z.string())
const stdioEntry = z.object({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: texts.default({}),
})
const httpEntry = z.object({ type: z.enum(['http', 'streamable-http']), url: z.url(), headers: texts.default({}) })
const entrySchema = z.union([stdioEntry, httpEntry], {
  error: 'must have a command, or the type "http" and a url',
})

/** How a server is reached, as it is written: variables are not replaced yet. */
export type ServerEntry = z.output<typeof entrySchema>

export interface ConfiguredServer {
  readonly name: string
  readonly entry: ServerEntry
  /** The user's own are started without asking; a project's only with the user's yes. */
  readonly from: 'user' | 'project'
  readonly file: string
  /** Where a program is started. */
  readonly cwd: string
  /** Tools that only read, as the server says, run without asking. Only the user's own file can say so. */
  readonly allowReadOnly: boolean
}

export interface McpConfig {
  readonly servers: readonly ConfiguredServer[]
  /** The files and servers that are left out, and why. */
  readonly problems: readonly { readonly name: string; readonly why: string }[]
}

/** The servers of `$BECKON_HOME/mcp.json` and of the project's `.mcp.json`. Of two with one name, the user's own counts. */
export function readMcpConfig(home: string, cwd: string): McpConfig {
  const problems: { name: string; why: string }[] = []
  const root = workspaceOf(cwd)
  const own = serversIn(join(home, 'mcp.json'), 'user')
  const names = new Set(own.map(one => one.name))
  const ofProject = serversIn(join(root, '.mcp.json'), 'project').filter(one => !names.has(one.name))
  return { servers: [...own, ...ofProject], problems }

  function serversIn(file: string, from: ConfiguredServer['from']): ConfiguredServer[] {
    const text = from === 'user' ? readOwn(file) : readOfProject(file)
    if (text === null) return []
    let entries: [string, unknown][]
    try {
      entries = Object.entries(
        z.object({ mcpServers: z.record(z.string(), z.unknown()) }).parse(JSON.parse(text)).mcpServers,
      )
    } catch {
      problems.push({ name: file, why: 'it must be JSON with "mcpServers"' })
      return []
    }
    return entries.flatMap(([key, given]) => {
      const parsed = z.object({ name, entry: entrySchema }).safeParse({ name: key, entry: given })
      if (parsed.success) {
        const allowReadOnly =
          from === 'user' && z.looseObject({ allowReadOnly: z.literal(true) }).safeParse(given).success
        return [{ ...parsed.data, from, file, cwd: from === 'user' ? cwd : root, allowReadOnly }]
      }
      problems.push({ name: key, why: `its entry in ${file} ${parsed.error.issues[0]?.message}` })
      return []
    })
  }

  function readOfProject(file: string): string | null {
    const read = workspaceReader(root)(file)
    if ('text' in read) return read.text
    if (read.unread !== 'missing') problems.push({ name: file, why: 'it is not a text file of the project' })
    return null
  }
}

function readOwn(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** Replaces `${NAME}` and `${NAME:-default}` by variables of this environment, which has none of our keys. */
export function expandEntry(entry: ServerEntry, env: NodeJS.ProcessEnv): ServerEntry {
  const expand = (text: string) =>
    text.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, other = '') => env[name] || other)
  const expandAll = (given: Record<string, string>) =>
    Object.fromEntries(Object.entries(given).map(([key, value]) => [key, expand(value)]))
  if ('url' in entry) return { ...entry, url: expand(entry.url), headers: expandAll(entry.headers) }
  return { ...entry, command: expand(entry.command), args: entry.args.map(expand), env: expandAll(entry.env) }
}
