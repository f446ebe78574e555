import { isIP } from 'node:net'
import pg from 'pg'

/** Warns of a database on another machine that is reached without TLS; null where there is nothing to warn of. */
export function plaintextWarning(url: string): string | null {
  const { host, ssl } = settingsOf(url)
  if (ssl || isThisMachine(host)) return null
  return `PostgreSQL on ${host} is reached without TLS: others on the network can read and change what it stores; add sslmode=verify-full to BECKON_DB.`
}

/** The driver itself knows what it will do: the URL, PGHOST and PGSSLMODE all matter. */
function settingsOf(url: string): { host: string; ssl: unknown } {
  try {
    return new pg.Client({ connectionString: url })
  } catch {
    // Connecting reports what is wrong with the URL.
    return { host: '', ssl: false }
  }
}

function isThisMachine(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  // An empty one is the default, which is this machine; a path is a socket.
  if (name === '' || name.startsWith('/') || name === 'localhost' || name.endsWith('.localhost')) return true
  if (isIP(name) === 6) return /^(0*:)+0*1$/.test(name) || /^::ffff:127\./.test(name)
  return isIP(name) === 4 && name.startsWith('127.')
}
