import type { Severity } from '../../protocol/severity.ts'
import { type Message, messageOf } from '../message.ts'
import { list } from '../word-list.ts'
import { type SqlToken, tokenizeSql } from './sql-tokens.ts'

export interface SqlDanger extends Message {
  /** Short, for a rule's id: `drop`, `truncate`, `delete-all`, `update-all`, `alter-drop`, `privileges`, `program`, `server`. */
  kind: string
  severity: Exclude<Severity, 'none'>
}

/**
 * What a piece of SQL destroys. `DELETE` and `UPDATE` are fine if their condition excludes some rows, or if the transaction
 * around them is rolled back; so is dropping, where `undoesDrops` says that the database can roll that back too. Several
 * sources run one after the other in the same session.
 */
export function sqlDangers(source: string | readonly string[], undoesDrops = false, depth = 0): SqlDanger[] {
  if (depth > deepest) return [tooLong]
  const sources = [source].flat()
  const statements = sources.flatMap(tokenizeSql)
  const undone = rolledBack(statements, undoesDrops)
  const runsResults = sources.some(text => /\\gexec\b/.test(text))
  return statements.flatMap((tokens, i) => {
    const found = dangersOf(tokens, runsResults, depth)
    if (!undone[i]) return found
    return found.filter(({ kind }) => !(undoable.has(kind) || (undoesDrops && undoableDrops.has(kind))))
  })
}

const undoable = new Set(['delete-all', 'update-all'])
const undoableDrops = new Set(['drop', 'truncate', 'alter-drop'])

/** For each statement, whether it stands in a transaction that certainly ends in a rollback. */
function rolledBack(statements: readonly (readonly SqlToken[])[], undoesDrops: boolean): boolean[] {
  const undone = statements.map(() => false)
  let start = -1
  statements.forEach((tokens, i) => {
    const [first, second] = tokens
    if (isWord(first, 'BEGIN') || (isWord(first, 'START') && isWord(second, 'TRANSACTION'))) start = i
    else if (isWord(first, 'ROLLBACK', 'ABORT')) {
      // ROLLBACK TO a savepoint leaves the transaction open.
      if (tokens.some(token => isWord(token, 'TO', 'PREPARED', 'CHAIN'))) return
      if (start >= 0) undone.fill(true, start, i)
      start = -1
    } else if (isWord(first, 'COMMIT', 'END', 'PREPARE', 'GO') || tokens.some(token => isWord(token, 'COMMIT')))
      start = -1
    else if (!undoesDrops && first && committing.has(first.text)) start = -1
  })
  return undone
}

/** Where a drop cannot be rolled back, as in MySQL, these statements commit what came before them. */
const committing = new Set(list('DROP TRUNCATE ALTER CREATE RENAME GRANT REVOKE LOCK ANALYZE OPTIMIZE SET'))

const mostChecks = 100
/** Code in strings, in strings. */
const deepest = 4
const tooLong: SqlDanger = {
  kind: 'server',
  message: 'runs a statement that is too long to analyze',
  severity: 'medium',
}
const suspicious = new Set(
  list(
    'DROP TRUNCATE DELETE UPDATE GRANT REVOKE ALTER CREATE PROGRAM XP_CMDSHELL SYS_EXEC SYS_EVAL LOAD_FILE OUTFILE DUMPFILE SHUTDOWN RESET PURGE DISABLE',
  ),
)

function dangersOf(tokens: readonly SqlToken[], runsResults: boolean, depth: number): SqlDanger[] {
  if (isWord(tokens[0], 'EXPLAIN') && !tokens.some(token => isWord(token, 'ANALYZE'))) return []
  if (isWord(tokens[0], 'CREATE', 'COMMENT') && !isWord(tokens[1], 'USER', 'ROLE')) return []
  const found: SqlDanger[] = []
  let checks = 0
  tokens.forEach((token, i) => {
    if (token.kind !== 'word' || !suspicious.has(token.text)) return
    checks += 1
    if (checks <= mostChecks) found.push(...dangerAt(tokens, i))
  })
  if (checks > mostChecks) found.push(tooLong)
  // DO $$ … $$ and EXECUTE '…' run their strings, and \\gexec in psql runs the rows that a query returns.
  if (runsResults || tokens.some(token => isWord(token, 'DO', 'EXECUTE', 'EXEC', 'PREPARE'))) {
    for (const text of joinedStrings(tokens)) if (text.length > 5) found.push(...sqlDangers(text, false, depth + 1))
  }
  return found
}

/** The strings of a statement; those joined by `||` or `+` are one. */
function joinedStrings(tokens: readonly SqlToken[]): string[] {
  const texts: string[] = []
  tokens.forEach(({ kind, text }, i) => {
    if (kind !== 'string') return
    const joins = ['||', '+'].includes(tokens[i - 1]?.text ?? '') && tokens[i - 2]?.kind === 'string'
    if (joins) texts.push((texts.pop() ?? '') + text)
    else texts.push(text)
  })
  return texts
}

function dangerAt(tokens: readonly SqlToken[], i: number): SqlDanger[] {
  const next = tokens[i + 1]
  const first = i === 0 || tokens[i - 1]?.text === '(' || isWord(tokens[i - 1], 'BEGIN', 'THEN', 'ELSE', 'LOOP', 'AS')
  switch (tokens[i]?.text) {
    case 'DROP': {
      if (isWord(tokens[0], 'ALTER')) {
        if (i === 0 || isWord(next, 'DEFAULT', 'NOT', 'IDENTITY', 'EXPRESSION')) return []
        return [
          {
            kind: 'alter-drop',
            ...messageOf('drops {object} of a table, with its data', { object: objectKind(next) }),
            severity: 'high',
          },
        ]
      }
      if (!first) return []
      const severe = isWord(next, 'DATABASE', 'SCHEMA', 'KEYSPACE', 'TABLESPACE', 'TABLE')
      const said = messageOf('drops {object}', { object: objectKind(next) })
      return [{ kind: 'drop', ...said, severity: severe ? 'critical' : 'high' }]
    }
    case 'TRUNCATE':
      if (!first || next?.text === '(') return []
      return [{ kind: 'truncate', message: 'empties a table', severity: 'critical' }]
    case 'DELETE':
      if (!isWord(next, 'FROM') && !first && !isWord(tokens[0], 'ALTER')) return []
      if (isWord(tokens[i - 1], 'ON', 'FOR', 'OR', 'GRANT') || tokens[i - 1]?.text === ',') return []
      return hasRealWhere(tokens, i)
        ? []
        : [{ kind: 'delete-all', message: 'deletes every row of a table', severity: 'critical' }]
    case 'UPDATE':
      if (!first || !tokens.slice(i).some(token => isWord(token, 'SET'))) return []
      return hasRealWhere(tokens, i)
        ? []
        : [{ kind: 'update-all', message: 'changes every row of a table', severity: 'high' }]
    case 'GRANT':
    case 'REVOKE':
      return first
        ? [{ kind: 'privileges', message: 'changes who can do what in the database', severity: 'medium' }]
        : []
    case 'ALTER':
      return first && isWord(next, 'USER', 'ROLE', 'LOGIN', 'SYSTEM')
        ? [
            {
              kind: 'privileges',
              ...(isWord(next, 'SYSTEM')
                ? { message: 'changes settings of the database server' }
                : messageOf('changes {object} of the database', { object: objectKind(next) })),
              severity: 'medium',
            },
          ]
        : []
    case 'CREATE':
      return first && isWord(next, 'USER', 'ROLE')
        ? [
            {
              kind: 'privileges',
              ...messageOf('creates {object} of the database', { object: objectKind(next) }),
              severity: 'medium',
            },
          ]
        : []
    case 'PROGRAM':
      return isWord(tokens[i - 1], 'FROM', 'TO') ? [program] : []
    case 'XP_CMDSHELL':
    case 'SYS_EXEC':
    case 'SYS_EVAL':
    case 'LOAD_FILE':
      return [program]
    case 'OUTFILE':
    case 'DUMPFILE':
      return isWord(tokens[i - 1], 'INTO') ? [program] : []
    case 'DISABLE':
      return isWord(tokens[0], 'ALTER') && isWord(next, 'ROW')
        ? [{ kind: 'privileges', message: 'lets every user see every row of a table', severity: 'high' }]
        : []
    case 'SHUTDOWN':
      return first ? [{ kind: 'server', message: 'shuts down the database', severity: 'high' }] : []
    case 'RESET':
    case 'PURGE':
      return first && isWord(next, 'MASTER', 'SLAVE', 'BINARY', 'REPLICA')
        ? [{ kind: 'server', message: 'deletes logs that replicas and recovery need', severity: 'high' }]
        : []
    default:
      return []
  }
}

const program: SqlDanger = {
  kind: 'program',
  message: "runs programs, or reads or writes files, with the database's rights",
  severity: 'high',
}

/** Whether the statement has a WHERE at its own level of brackets that is not always true. */
function hasRealWhere(tokens: readonly SqlToken[], from: number): boolean {
  let depth = 0
  for (let i = from; i < tokens.length; i += 1) {
    const token = tokens[i]
    if (token?.text === '(' && token.kind === 'symbol') depth += 1
    if (token?.text === ')' && token.kind === 'symbol') depth -= 1
    if (depth < 0) return false
    if (depth === 0 && isWord(token, 'WHERE', 'USING', 'JOIN')) {
      if (!isWord(token, 'WHERE')) continue
      return !isAlwaysTrue(tokens.slice(i + 1))
    }
  }
  return false
}

function isAlwaysTrue(condition: readonly SqlToken[]): boolean {
  const end = condition.findIndex(token => isWord(token, 'RETURNING', 'LIMIT', 'ORDER'))
  const tokens = (end < 0 ? condition : condition.slice(0, end)).filter(({ text }) => text !== '(' && text !== ')')
  return splitAt(tokens, 'OR').some(side => {
    const parts = splitAt(side, 'AND')
    return parts.every(isTrue)
  })
}

function isTrue(tokens: readonly SqlToken[]): boolean {
  const [left, operator, right, more] = tokens
  if (!left) return true
  if (!operator) return isWord(left, 'TRUE') || (left.kind === 'number' && Number(left.text) !== 0)
  if (isWord(left, 'NOT')) return isWord(operator, 'FALSE') || operator.text === '0'
  if (more || !right) return false
  const equal = left.kind === right.kind && left.text.toLowerCase() === right.text.toLowerCase()
  if (['=', '>=', '<=', 'IS', 'LIKE'].includes(operator.text) && equal) return true
  if (operator.text === 'LIKE' && right.kind === 'string' && /^%+$/.test(right.text)) return true
  if (['<>', '!='].includes(operator.text) && left.kind === right.kind && left.kind !== 'word' && !equal) return true
  return (
    left.kind === 'number' && right.kind === 'number' && compare(Number(left.text), operator.text, Number(right.text))
  )
}

function compare(left: number, operator: string, right: number): boolean {
  if (operator === '<') return left < right
  if (operator === '>') return left > right
  if (operator === '<=') return left <= right
  return operator === '>=' && left >= right
}

function splitAt(tokens: readonly SqlToken[], word: string): SqlToken[][] {
  const parts: SqlToken[][] = [[]]
  for (const token of tokens) {
    if (isWord(token, word)) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

function isWord(token: SqlToken | undefined, ...words: string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text)
}

/** `a table`, `an index`; `a part` for what has no name here. */
function objectKind(token: SqlToken | undefined): string {
  const kind = token?.kind === 'word' && kinds.has(token.text) ? token.text.toLowerCase() : 'part'
  return /^[aeio]/.test(kind) ? `an ${kind}` : `a ${kind}`
}

const kinds = new Set(
  list(
    'DATABASE SCHEMA KEYSPACE TABLESPACE TABLE INDEX VIEW SEQUENCE FUNCTION PROCEDURE TRIGGER TYPE COLUMN CONSTRAINT PARTITION POLICY EXTENSION USER ROLE LOGIN',
  ),
)
