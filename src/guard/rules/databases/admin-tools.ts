import { madeAll } from '../../interpret/made-here.ts'
import { list } from '../../word-list.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'

/** Programs that come with databases, and the services that host them. */
export const adminToolRules: readonly GuardRule[] = [
  {
    id: 'db/dropdb',
    program: list('dropdb dropuser pg_dropcluster pg_resetwal pg_resetxlog droplang dropschema'),
    when: call => !madeAll(call, 'database', call.operands),
    severity: 'critical',
    reason: 'removes a database, a role or the log needed to recover it',
    safer: 'pg_dump app > app.sql',
    match: ['dropdb app', 'dropuser app', 'sudo -u postgres dropdb --if-exists app'],
    notMatch: ['createdb app', 'dropdb --help', 'createdb tmp1 && psql tmp1 -f schema.sql && dropdb tmp1'],
  },
  {
    id: 'db/restore-clean',
    program: 'pg_restore',
    any: ['-c', '--clean'],
    none: ['-l', '--list'],
    option: { '-d --dbname': /^/ },
    severity: 'critical',
    reason: 'drops what is in the database before restoring it',
    safer: 'pg_restore -d app_new app.dump',
    rewrite: { replace: { '-c': '', '--clean': '', '--if-exists': '' } },
    match: ['pg_restore --clean -d app x.dump', 'pg_restore -Fc -C -c -d postgres x.dump', 'pg_restore -d app -c x'],
    notMatch: ['pg_restore -l x.dump', 'pg_restore -d app x.dump', 'pg_restore -c -f out.sql x.dump'],
  },
  {
    id: 'db/mysqladmin',
    program: ['mysqladmin', 'mariadb-admin'],
    operandMatches: /^(drop|shutdown|password|kill|flush-privileges|stop-slave)$/,
    severity: 'critical',
    reason: 'drops a database, or stops or locks its server',
    match: ['mysqladmin -u root -p drop app', 'mysqladmin shutdown'],
    notMatch: ['mysqladmin status', 'mysqladmin create app'],
  },
  {
    id: 'db/sqlite-restore',
    program: ['sqlite3', 'sqlite'],
    when: call =>
      /^\.(restore|clone)\b/m.test(call.stdin.text ?? '') ||
      (call.after(1).find(({ value }) => /^\s*\.(restore|clone|import\s.*--schema)\b/.test(value)) ?? false),
    severity: 'high',
    reason: 'overwrites the database with another file',
    match: ['sqlite3 app.db ".restore old.db"', "sqlite3 app.db <<< '.restore old.db'"],
    notMatch: ['sqlite3 app.db ".backup b.db"', 'sqlite3 app.db .dump'],
  },
  {
    id: 'db/hosted',
    program: list(
      'supabase turso pscale neonctl neon xata upstash edgedb gel convex hasura fauna cockroach ccloud atlascli mongocli planetscale aiven avn bq meteor',
    ),
    when: call => {
      const text = firstWords(call)
      if (call.program === 'bq') return /^(rm|load|cp|update|cancel|insert|truncate)\b/.test(text)
      if (call.program === 'meteor') return /^(reset|deploy)\b/.test(text)
      if (call.program === 'supabase')
        return /^(db (reset|push)|projects delete|functions (deploy|delete)|secrets (set|unset)|link --force|config push|branches delete|storage rm|migration (repair|down))\b/.test(
          text,
        )
      if (call.program === 'convex') return /^(deploy|import)\b/.test(text) || /^env (set|remove)/.test(text)
      if (call.program === 'hasura')
        return /^(migrate apply|metadata (clear|reset))/.test(text) && (call.has('--down') || /clear|reset/.test(text))
      return /(^|\s)(delete|destroy|remove|rm|reset|wipe|drop|purge|revoke|restore|promote|terminate|deploy)(\s|$)/.test(
        text,
      )
    },
    severity: 'critical',
    reason: 'deletes or replaces a hosted database, or part of one',
    match: [
      'supabase db reset',
      'turso db destroy app',
      'pscale database delete app',
      'bq rm -r -f d',
      'neonctl projects delete p',
    ],
    notMatch: [
      'supabase start',
      'supabase db diff',
      'turso db list',
      'bq ls',
      'bq show d.t',
      'supabase migration new drop',
    ],
  },
]
