import pg from 'pg'
import type { Reclaimed, ReclaimOptions } from '../store.ts'
import { translatePostgresError } from './errors.ts'
import { cut } from './liveness.ts'

const tables = [
  'requests',
  'events',
  'runs',
  'run_logs',
  'checkpoints',
  'sealed',
  'drafts',
  'attachments',
  'outbox',
  'tokens',
]

/** Makes the space of deleted rows usable again; what is free at the end of a table goes back to the disk. Blocks nobody. */
export async function reclaimPostgres(url: string, { signal }: ReclaimOptions = {}): Promise<Reclaimed> {
  // Its own connection: it may take minutes, and nobody shall wait behind it.
  const client = new pg.Client({ connectionString: url, application_name: 'beckon' })
  client.on('error', () => {})
  // A server that ends does not wait for it.
  const stop = () => cut(client)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await client.connect()
    await client.query('set search_path to beckon')
    const before = await size()
    await client.query(`vacuum (analyze) ${tables.join(', ')}`)
    return { freed: Math.max(0, before - (await size())), reusable: null }
  } catch (error) {
    if (signal?.aborted) return { freed: 0, reusable: null }
    throw translatePostgresError(error)
  } finally {
    signal?.removeEventListener('abort', stop)
    await client.end().catch(() => {})
  }

  async function size(): Promise<number> {
    const { rows } = await client.query(
      'select sum(pg_total_relation_size(name::regclass)) as bytes from unnest($1::text[]) as name',
      [tables],
    )
    return Number(rows[0]?.bytes ?? 0)
  }
}
