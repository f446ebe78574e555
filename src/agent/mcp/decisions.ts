import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import type { Hmac } from '../../approval/facts/hmac.ts'
import { canonicalJson, type Json } from '../../protocol/canonical-json.ts'
import type { ConfiguredServer } from './config.ts'

const decisionSchema = z.object({
  name: z.string(),
  /** The project's .mcp.json. */
  file: z.string(),
  /** Of the entry as the person saw it: another content is asked about anew. */
  entry: z.string(),
  allowed: z.boolean(),
  at: z.string(),
})
export type ServerDecision = z.output<typeof decisionSchema>

/** What the user decided about the servers of projects, in BECKON_HOME/agent/mcp-servers.json. */
export class ServerDecisions {
  readonly #file: string
  readonly #hmac: Hmac

  constructor(home: string, hmac: Hmac) {
    this.#file = join(home, 'agent', 'mcp-servers.json')
    this.#hmac = hmac
  }

  list(): ServerDecision[] {
    try {
      return z.array(decisionSchema).parse(JSON.parse(readFileSync(this.#file, 'utf8')))
    } catch {
      return []
    }
  }

  /** Null where nobody has decided about exactly this entry yet. */
  find(server: ConfiguredServer): ServerDecision | null {
    const entry = this.#hashOf(server)
    return this.list().find(one => one.entry === entry) ?? null
  }

  remember(server: ConfiguredServer, allowed: boolean, now: number): void {
    const { name, file } = server
    const others = this.list().filter(one => one.name !== name || one.file !== file)
    this.#write([...others, { name, file, entry: this.#hashOf(server), allowed, at: new Date(now).toISOString() }])
  }

  forget({ entry }: Pick<ServerDecision, 'entry'>): void {
    this.#write(this.list().filter(one => one.entry !== entry))
  }

  /** Keyed, so that the entry of another project cannot be made to look like one that was allowed. */
  #hashOf({ name, file, entry }: ConfiguredServer): string {
    return this.#hmac('mcp-server', canonicalJson({ name, file, entry: entry as unknown as Json }))
  }

  #write(decisions: readonly ServerDecision[]): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
    const next = `${this.#file}.${process.pid}`
    writeFileSync(next, `${JSON.stringify(decisions, null, 2)}\n`, { mode: 0o600 })
    renameSync(next, this.#file)
  }
}
