import { sql } from 'kysely'
import { inJson } from './shared.ts'

const columns = ['title', 'context', 'agent_name', 'directory', 'session', 'id'] as const

// The names of fields in a body, which are not what anybody searches for.
const fields = [
  'action call category checks command completed cwd default description digest facts feedback files header host id input',
  'key label message multiSelect allowOther name next options path phase preview question questions reason reasons required',
  'rule scope secret severity span summary text title tool type value values verdict version warnings',
]
  .join(' ')
  .split(' ')
const words = ['true', 'false', 'null']

/** Whether each word occurs in what a request says: its title, questions, context, agent, directory, session or id. */
export function hasWords(kind: 'sqlite' | 'postgres', words: readonly string[]) {
  return sql.join(
    words.map(word => hasWord(kind, word)),
    sql` and `,
  )
}

function hasWord(kind: 'sqlite' | 'postgres', word: string) {
  const patterns = spellings(word).map(patternOf)
  const inColumns = columns.flatMap(column => patterns.map(pattern => like(kind, sql.ref(column), pattern)))
  // A body is JSON, in which some characters are escaped.
  const inBody = spellings(inJson(word)).map(patternOf)
  const body = bodyWithoutFields(word.toLowerCase())
  return sql<boolean>`(${sql.join([...inColumns, ...inBody.map(pattern => like(kind, body, pattern))], sql` or `)})`
}

/** SQLite knows upper and lower case of ASCII only. */
export function spellings(word: string): string[] {
  const [first = '', ...rest] = word
  const lower = word.toLowerCase()
  return [...new Set([lower, word.toUpperCase(), first.toUpperCase() + rest.join('').toLowerCase()].map(asciiLower))]
}

function asciiLower(word: string): string {
  return word.replaceAll(/[A-Z]/g, letter => letter.toLowerCase())
}

function patternOf(word: string): string {
  return `%${word.replaceAll(/[!%_]/g, '!$&')}%`
}

/** SQLite's LIKE takes no heed of upper and lower case. */
function like(kind: 'sqlite' | 'postgres', column: ReturnType<typeof sql>, pattern: string) {
  return kind === 'sqlite'
    ? sql`${column} like ${pattern} escape '!'`
    : sql`lower(${column}) like lower(${pattern}) escape '!'`
}

/** A quote within a text of the body is escaped, so that only names of fields are removed. */
function bodyWithoutFields(word: string) {
  const names = fields.filter(name => name.toLowerCase().includes(word)).map(name => `"${name}":`)
  const values = words.filter(value => value.includes(word)).map(value => `:${value}`)
  return [...names, ...values].reduce((body, part) => sql`replace(${body}, ${part}, '')`, sql`body`)
}
