import { literal } from '../../interpret/arguments.ts'
import { deletesRecords } from '../../languages/data-deletions.ts'
import { sqlDangers } from '../../languages/sql-dangers.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'
import { revertAliases, revertCommands } from './revert-commands.ts'

/** Whether the command says that it means the test database, which is disposable. */
function isForTests(call: ProgramCall): boolean {
  const given = call.operands.flatMap(
    ({ value }) => /^(?:RAILS|RACK|NODE|APP|MIX|HANAMI)_ENV=(.*)$/.exec(value)?.[1] ?? [],
  )
  const named = ['RAILS_ENV', 'RACK_ENV', 'MIX_ENV', 'NODE_ENV', 'APP_ENV'].map(name => call.env(name))
  return [...given, ...named, call.value('--env', '-e')?.value].some(one => one === 'test' || one === 'testing')
}

function reverts(call: ProgramCall): boolean {
  if (isForTests(call)) return false
  const name = revertAliases[call.program] ?? call.program
  if (call.has('--pretend', '--dump-sql', '--sql', '--fake', '--list') && !call.has('--force')) return false
  return revertCommands[name]?.test(firstWords(call, 8)) ?? false
}

const destroys =
  /(^|[-_:.])(reset|drop|wipe|nuke|truncate|flush|fresh|purge|destroy|rollback|undo|down|clear)(?=$|[-_:.])/i
const aboutData =
  /(^|[-_:.])(db|database|prisma|postgres|pg|mysql|mongo|redis|migrations?|migrate|schema|tables?|data|elasticsearch|mongoid|neo4j)(?=$|[-_:.])/i

/** `npm run db:reset`, `make reset-db`: the guard does not see the script, but its name says what it does. */
function nameMeansDataLoss(script: string): boolean {
  return (
    destroys.test(script) &&
    aboutData.test(script) &&
    !/(^|[-_:.])(test|tests|e2e|dry|local-check)(?=$|[-_:.])/i.test(script)
  )
}

const destructiveScript = /(^|[-_/])(drop|wipe|purge|truncate|delete|reset|nuke|destroy)[-_\w]*\.(py|rb|php|exs?)$/

/** The strings in a piece of code, one per line: some of them may be SQL. */
function quotedText(code: string): string[] {
  return (code.slice(0, 20_000).match(/"[^"\\]{8,}"|'[^'\\]{8,}'/g) ?? []).slice(0, 50).map(text => text.slice(1, -1))
}

export const migrationRules: readonly GuardRule[] = [
  {
    id: 'db/migrate-back',
    program: [...Object.keys(revertCommands), ...Object.keys(revertAliases)],
    when: reverts,
    severity: 'critical',
    reason: 'drops or empties tables, or reverts migrations and loses their data',
    match: [
      'npx prisma migrate reset --force',
      'bin/rails db:drop',
      'bundle exec rake db:drop db:create',
      'alembic downgrade base',
      'flyway -url=x clean',
      'python manage.py flush --noinput',
      'php artisan migrate:fresh --seed',
      'mix ecto.reset',
      'migrate -path m -database "$URL" drop -f',
    ],
    notMatch: [
      'npx prisma migrate dev',
      'rails db:migrate',
      'RAILS_ENV=test rails db:reset',
      'alembic upgrade head',
      'alembic downgrade base --sql',
      'flyway info',
      'php artisan migrate --pretend',
      'rails generate migration DropUsers',
    ],
  },
  {
    id: 'db/push-loss',
    program: ['prisma', 'drizzle-kit'],
    any: ['--force-reset', '--accept-data-loss', '--force'],
    words: /^(db )?push\b/,
    severity: 'critical',
    reason: 'pushes the schema to the database even if data is lost',
    safer: 'npx prisma migrate dev',
    rewrite: { replace: { '--force-reset': '', '--accept-data-loss': '', '--force': '' } },
    match: ['npx prisma db push --force-reset', 'pnpm prisma db push --accept-data-loss', 'drizzle-kit push --force'],
    notMatch: ['prisma db push', 'prisma generate'],
  },
  {
    id: 'db/code',
    program: list('rails manage.py django-admin artisan mix flask iex wp drush pry hanami psysh'),
    when: call => {
      if (isForTests(call)) return false
      const stdin = call.stdin.text ? [literal(call.stdin.text, call.frame.span)] : []
      const isConsole = /^(console|c|runner|r|shell|shell_plus|tinker|run|eval|eval-file|php:eval|ev|dbconsole)\b/.test(
        firstWords(call, 1),
      )
      if (!isConsole && !/^(iex|pry|psysh)$/.test(call.program)) return false
      const given = [...call.values('-c', '--command', '--execute', '-e', '--eval'), ...call.after(1), ...stdin]
      if (destructiveScript.test(call.stdin.file ?? '')) return true
      return given.find(({ value }) => deletesRecords.test(value) || sqlDangers(quotedText(value)).length > 0) ?? false
    },
    severity: 'critical',
    reason: 'deletes or changes every record of a model',
    match: [
      "rails runner 'User.find_each(&:destroy!)'",
      "flask shell <<< 'from app import db; db.drop_all()'",
      "echo 'User.delete_all' | rails console",
      "rails runner 'User.delete_all'",
      'php artisan tinker --execute="User::truncate();"',
      'python manage.py shell -c "User.objects.all().delete()"',
    ],
    notMatch: [
      "RAILS_ENV=test rails runner 'User.delete_all'",
      'python manage.py shell -c "User.objects.filter(pk=3).delete()"',
      "rails runner 'User.find(1).destroy'",
      "rails runner 'puts User.count'",
      'python manage.py shell -c "print(User.objects.count())"',
    ],
  },
  {
    id: 'db/build-tool',
    program: ['mvn', 'mvnw', 'gradle', 'gradlew', 'dotnet'],
    oneOf: [
      { operandMatches: /^(flyway:clean|flywayClean|liquibase:(dropAll|rollback)|:?[\w:-]*(dropAll|flywayClean))$/ },
      { words: /^ef (database drop|database update 0)\b/ },
    ],
    severity: 'critical',
    reason: 'drops the database as part of a build',
    match: ['mvn flyway:clean', './gradlew flywayClean', 'dotnet ef database drop --force'],
    notMatch: ['mvn flyway:migrate', 'dotnet ef database update', './gradlew clean'],
  },
  {
    id: 'db/script',
    program: list('npm yarn pnpm bun make gmake just task rake invoke'),
    when: call => {
      if (isForTests(call) || /^(install|i|add|remove|uninstall|view|info|why|ls|list)\b/.test(firstWords(call, 1)))
        return false
      const words = call.operands.filter(
        ({ value }) => !/^(run|run-script|workspace)$/.test(value) && !value.includes('='),
      )
      return words.slice(0, 3).find(({ value }) => nameMeansDataLoss(value)) ?? false
    },
    none: ['-n', '--just-print', '--recon'],
    severity: 'high',
    reason: 'runs a script whose name says that it deletes data',
    match: ['npm run db:reset', 'yarn db:wipe', 'make reset-db', 'pnpm run db:drop'],
    notMatch: ['npm run db:migrate', 'make test', 'npm run reset', 'npm run db:reset:test', 'npm install drop-db'],
  },
]
