import { join, resolve } from 'node:path'
import type { HubApi } from '../../protocol/hub.ts'
import { isPostgres } from '../../store/open.ts'
import { homePath } from '../../system/home.ts'
import type { Context } from '../context.ts'
import { withHub, withStore } from '../with-hub.ts'

/** Opens the hub for as long as the work takes, once it is known that it can be written. */
export function withWritableHub<T>(context: Context, work: (hub: HubApi) => Promise<T>): Promise<T> {
  const options = { agent: 'mcp', channel: 'mcp', wakes: false }
  if (!context.env.BECKON_URL) {
    return withStore(
      context,
      async (hub, store) => {
        // A database on a full or read-only disk can be opened to read.
        await store.change(async () => {})
        return work(hub)
      },
      options,
    )
  }
  return withHub(
    context,
    async hub => {
      // Reaches the server with the token.
      await hub.list({ limit: 1 })
      return work(hub)
    },
    options,
  )
}

/** The hub as a person knows it, without a password or a token. */
export function describeHub({ env, cwd }: Context): string {
  if (env.BECKON_URL) return `the hub at ${withoutSecrets(env.BECKON_URL) ?? 'BECKON_URL'}`
  const database = env.BECKON_DB ?? ''
  if (isPostgres(database)) return `the database ${withoutSecrets(database) ?? 'of BECKON_DB (PostgreSQL)'}`
  return `the database ${resolve(cwd, database || join(homePath(env), 'beckon.db'))}`
}

/** Only what leads there: a query may hold a password, too. */
function withoutSecrets(source: string): string | null {
  if (!URL.canParse(source)) return null
  const { protocol, host, pathname } = new URL(source)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}
