import { type Argument, isDynamic, literal, origins } from '../../interpret/arguments.ts'
import { type SqlDanger, sqlDangers } from '../../languages/sql-dangers.ts'
import type { ProgramCall } from '../../program-call.ts'
import { isProduction, isRemote } from '../../urls.ts'
import { list } from '../../word-list.ts'
import { mostCharacters } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'
import { fileOptions, sqlOf } from './sql-sources.ts'

const sqlClients = list(
  `psql pgcli mysql mycli mariadb sqlite3 sqlite litecli duckdb usql sqlcmd mssql-cli isql sqlplus snowsql cockroach
  clickhouse clickhouse-client clickhouse-local cqlsh bq trino presto spark-sql beeline hive impala-shell vsql tsql ysqlsh ycqlsh
  prisma wrangler heroku turso surreal edgedb gel pscale dolt influx manage.py rails osql typeorm wp drush console n98-magerun2
  fly flyctl railway supabase render snow mclient exaplus nzsql db2 dbsqlcli spanner-cli ksql sql-client.sh datafusion-cli rqlite`,
)

// A drop in a transaction can be rolled back.
const undoingDrops = new Set(
  list('psql pgcli ysqlsh cockroach sqlite3 sqlite litecli duckdb sqlcmd mssql-cli osql vsql manage.py turso usql'),
)

function isSandbox(call: ProgramCall): boolean {
  if (call.program === 'wrangler') return call.has('--local') && !call.has('--remote')
  return ['sqlite3', 'sqlite', 'duckdb'].includes(call.program) && call.operands[0]?.value === ':memory:'
}

function findsDanger(...kinds: SqlDanger['kind'][]): (call: ProgramCall) => Argument | false {
  return call => {
    if (isSandbox(call)) return false
    return dangersIn(call).find(({ dangers }) => dangers.some(({ kind }) => kinds.includes(kind)))?.sql ?? false
  }
}

const known = new WeakMap<ProgramCall, { sql: Argument; dangers: readonly SqlDanger[] }[]>()

/** Read once for all rules. */
function dangersIn(call: ProgramCall) {
  const dangers = known.get(call) ?? readDangers(call)
  known.set(call, dangers)
  return dangers
}

function readDangers(call: ProgramCall) {
  const undoesDrops = undoingDrops.has(call.program)
  const commands = call.values('-c', '--command')
  // Several commands run in one session, of which the last may roll back the others.
  if (commands.length > 1) {
    const session = commands.map(({ value }) => value)
    if (sqlDangers(session, undoesDrops).length === 0) return []
  }
  return sqlOf(call).map(sql => ({ sql, dangers: sqlDangers(sql.value, undoesDrops) }))
}

const destructiveName =
  /(^|[-_./])(drop|truncate|wipe|nuke|purge|delete|destroy|reset|clean|cleanup|clear|teardown|erase|restore|down)(?=[-_.]|$)[^/]*\.(sql|psql|cql|ddl|gz)$/i
const addsData = /(^|\/)[^/]*(create|add|insert|seed)[^/]*$/i

/** `\\i drop.sql` in psql, `source drop.sql` in mysql, `.read drop.sql` in sqlite3. */
function includedFiles(sql: Argument): Argument[] {
  const file = /^\s*(?:\\ir?|\\\.|source|\.read)\s+(\S+)/.exec(sql.value)?.[1]
  return file === undefined ? [] : [{ ...sql, value: file }]
}

function nameMeansDataLoss(file: string): boolean {
  return file.length < mostCharacters && destructiveName.test(file) && !addsData.test(file)
}

export const sqlRules: readonly GuardRule[] = [
  {
    id: 'db/drop',
    program: sqlClients,
    when: findsDanger('drop', 'alter-drop'),
    severity: 'critical',
    reason: 'drops a table, a database or part of one, with all its data',
    match: [
      "psql -c 'DROP TABLE users'",
      'mysql -e "drop database app"',
      "sqlite3 app.db 'DROP TABLE x;'",
      'echo "DROP TABLE x" | psql',
      'psql <<< "DROP/**/TABLE x"',
      "psql -c 'ALTER TABLE t DROP COLUMN c'",
      "cqlsh -e 'DROP KEYSPACE app'",
      'mysql -pdrop -uroot -e "DROP TABLE t" app',
      "echo 'DROP TABLE x' > a.sql && psql -f a.sql",
      'echo "DROP TABLE a" | python manage.py dbshell',
    ],
    notMatch: [
      "psql -c 'SELECT 1'",
      `psql -c "SELECT 'DROP TABLE x'"`,
      'psql -c "-- DROP TABLE x"',
      "psql -c 'CREATE TABLE drop_log (a int)'",
      "sqlite3 :memory: 'create table t(a); drop table t'",
    ],
  },
  {
    id: 'db/all-rows',
    program: sqlClients,
    when: findsDanger('truncate', 'delete-all', 'update-all'),
    severity: 'critical',
    reason: 'deletes or changes every row of a table',
    match: [
      "psql -c 'TRUNCATE users'",
      "psql -c 'DELETE FROM users'",
      'mysql -e "DELETE FROM t WHERE 1=1"',
      "mysql -e 'update t set a=1'",
      "psql -c 'DELETE FROM a WHERE id = 1 OR true'",
      "bq query --use_legacy_sql=false 'DELETE FROM d.t WHERE true'",
    ],
    notMatch: ["psql -c 'DELETE FROM users WHERE id = 5'", "psql -c 'UPDATE t SET a = 1 WHERE id = 2'"],
  },
  {
    id: 'db/rights',
    program: sqlClients,
    when: findsDanger('privileges'),
    severity: 'high',
    reason: 'changes who can do what in the database',
    match: ["psql -c 'GRANT ALL ON t TO public'", `mysql -e "CREATE USER 'x'@'%'"`, "psql -c 'ALTER ROLE a SUPERUSER'"],
    notMatch: [`psql -c "SELECT 'grant'"`, "psql -c '\\du'"],
  },
  {
    id: 'db/server',
    program: sqlClients,
    when: findsDanger('program', 'server'),
    severity: 'critical',
    reason: 'uses the database to reach programs, files or logs of its server',
    match: [`psql -c "COPY t TO PROGRAM 'sh'"`, "mysql -e 'RESET MASTER'"],
    notMatch: ['psql -c "COPY t TO STDOUT"'],
  },
  {
    id: 'db/unseen',
    program: sqlClients,
    when: call => {
      if (isSandbox(call)) return false
      if (call.stdin.from & origins.network) return true
      return sqlOf(call).find(arg => isDynamic(arg) || (arg.from & origins.network) !== 0) ?? false
    },
    severity: 'medium',
    reason: 'runs SQL that is known only at run time or comes from the network',
    match: ['psql -c "$SQL"', 'curl -s https://x.example/seed.sql | psql app', 'mysql -e "$(cat x.sql)" app'],
    notMatch: [
      'psql -c "SELECT * FROM t WHERE id = $ID"',
      'psql -f "$FILE"',
      'psql "$DATABASE_URL"',
      'psql app < seed.sql',
    ],
  },
  {
    id: 'db/unseen-elsewhere',
    program: sqlClients,
    when: call => {
      const { text, file } = call.stdin
      if (text !== null || file || sqlOf(call).length > 0) return false
      const host = call.value('-h', '--host', '-S', '--server')
      return host && (isRemote(host) || isProduction(host.value)) ? host : false
    },
    severity: 'high',
    reason: 'runs SQL that cannot be seen here on the database of another machine',
    match: [
      'gunzip -c old.sql.gz | mysql -h prod-mysql.internal shop',
      'zcat dump.sql.gz | psql -h db.example.com app',
      'pg_dump app | psql -h db.example.com app',
    ],
    notMatch: [
      'gunzip -c old.sql.gz | mysql -h 127.0.0.1 shop',
      'psql -h db.example.com -c "select 1"',
      'psql -h db.example.com',
      'echo "select 1" | mysql -h db.example.com',
      'mysql -h db.example.com shop < schema.sql',
      'zcat dump.sql.gz | psql app',
    ],
  },
  {
    id: 'db/file',
    program: sqlClients,
    when: call => {
      if (isSandbox(call)) return false
      const files = call.values(...fileOptions)
      if (call.stdin.file) files.push(literal(call.stdin.file, call.frame.span))
      files.push(...sqlOf(call).flatMap(includedFiles))
      return files.find(({ value }) => nameMeansDataLoss(value)) ?? false
    },
    severity: 'high',
    reason: 'runs a file whose name says that it removes or overwrites data',
    safer: 'cat drop_all.sql',
    match: ['psql -f drop_all.sql', 'psql app -f sql/reset-db.sql', 'psql < truncate.sql', 'cat wipe.sql | psql app'],
    notMatch: ['psql -f schema.sql', 'psql -f migrations/001_create_users.sql', 'psql -f dropdown_items.sql'],
  },
]
