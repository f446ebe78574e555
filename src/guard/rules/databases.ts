import type { Call } from '../call.ts'
import { type SqlDanger, sqlDangers } from '../languages/sql.ts'
import { type Arg, literal } from '../reading/values.ts'
import type { Domain, Rule } from './rule.ts'

const list = (words: string) => words.split(' ')
const clients = list(
  'psql mysql mariadb sqlite3 mycli pgcli litecli duckdb usql sqlcmd clickhouse clickhouse-client cockroach',
)

/** The SQL that a client would send: in its options, its operands, and on its stdin. */
function sqlOf(call: Call): Arg[] {
  const given = call.values('-c', '--command', '-e', '--execute', '-Q', '-q', '--query', '-cmd')
  const operands = ['sqlite3', 'litecli', 'duckdb'].includes(call.program) ? call.operands.slice(1) : []
  const stdin = call.stdin.text ? [literal(call.stdin.text, call.frame.span)] : []
  return [...given, ...operands, ...stdin]
}

function finds(...kinds: SqlDanger['kind'][]): (call: Call) => Arg | false {
  return call => sqlOf(call).find(({ value }) => sqlDangers(value).some(({ kind }) => kinds.includes(kind))) ?? false
}

const rules: readonly Rule[] = [
  {
    id: 'db/drop',
    program: clients,
    when: finds('drop', 'alter-drop'),
    severity: 'critical',
    reason: 'drops a table, a database or a part of one, with all that is in it',
    match: [
      "psql -c 'DROP TABLE users'",
      'mysql -e "drop database app"',
      "sqlite3 app.db 'DROP TABLE x;'",
      'echo "DROP TABLE x" | psql',
      'psql <<< "DROP/**/TABLE x"',
      "psql -c 'ALTER TABLE t DROP COLUMN c'",
    ],
    notMatch: [
      "psql -c 'SELECT 1'",
      `psql -c "SELECT 'DROP TABLE x'"`,
      'psql -c "-- DROP TABLE x"',
      "psql -c 'CREATE TABLE drop_log (a int)'",
    ],
  },
  {
    id: 'db/all-rows',
    program: clients,
    when: finds('truncate', 'delete-all', 'update-all'),
    severity: 'critical',
    reason: 'deletes or changes every row of a table',
    match: [
      "psql -c 'TRUNCATE users'",
      "psql -c 'DELETE FROM users'",
      'mysql -e "DELETE FROM t WHERE 1=1"',
      "mysql -e 'update t set a=1'",
      "psql -c 'DELETE FROM a WHERE id = 1 OR true'",
    ],
    notMatch: ["psql -c 'DELETE FROM users WHERE id = 5'", "psql -c 'UPDATE t SET a = 1 WHERE id = 2'"],
  },
]

export const databases: Domain = {
  name: 'databases',
  grammar: {
    psql: {
      values: list(
        '-c --command -f --file -h --host -p --port -U --username -d --dbname -v --set --variable -o --output -F -R -P -T -L',
      ),
    },
    mysql: { values: list('-e --execute -h --host -P --port -u --user -D --database --password --socket -S') },
    mariadb: { values: list('-e --execute -h --host -P --port -u --user -D --database -S') },
    sqlite3: { values: list('-cmd -init -separator -newline -nullvalue -vfs'), words: true },
  },
  rules,
}
