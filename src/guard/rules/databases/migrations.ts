import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'

/** Whether the command says that it means the test database, which is disposable. */
function isForTests(call: ProgramCall): boolean {
  const given = call.operands.flatMap(
    ({ value }) => /^(?:RAILS|RACK|NODE|APP|MIX|HANAMI)_ENV=(.*)$/.exec(value)?.[1] ?? [],
  )
  const named = ['RAILS_ENV', 'RACK_ENV', 'MIX_ENV', 'NODE_ENV', 'APP_ENV'].map(name => call.env(name))
  return [...given, ...named, call.value('--env', '-e')?.value].some(one => one === 'test' || one === 'testing')
}

// What each tool calls dropping, emptying or reverting. Going forward (`migrate`, `up`, `upgrade head`) is everyday work.
const revertCommands: Readonly<Record<string, RegExp>> = {
  prisma: /^migrate reset\b/,
  rails:
    /(^| )(db:(drop|reset|rollback|truncate_all|purge|environment:set|schema:load|structure:load|migrate:(reset|down|redo)|seed:replant)(:\w+)?)\b/,
  sequelize: /^db:(drop|migrate:undo|seed:undo)/,
  knex: /^(migrate:(rollback|down)|seed:clear)/,
  typeorm: /^(schema:(drop|sync)|migration:revert)/,
  'mikro-orm': /^(schema:(drop|fresh|update)|migration:(down|fresh)|database:drop)/,
  'drizzle-kit': /^drop\b/,
  alembic: /^downgrade\b/,
  flask: /^db downgrade\b/,
  flyway: /(^| )(clean|undo|repair)\b/,
  liquibase: /(^| )(drop-?all|rollback\S*(?<!-sql)|releaselocks|clear-?checksums)(?= |$)/i,
  'manage.py': /^(flush|reset_db|sqlclear|migrate \S+ (zero|0*)$|reset_schema|clear_|delete_)/,
  artisan:
    /^(migrate:(fresh|refresh|reset|rollback)|db:wipe|schema:drop|passport:purge|queue:(flush|clear)|telescope:clear)/,
  console:
    /^(doctrine:(database:drop|schema:(drop|update)|mongodb:schema:drop|fixtures:load|migrations:execute)|d:d:d|d:s:d)\b/,
  mix: /(^| |,)ecto\.(drop|reset|rollback)\b/,
  diesel: /^(database (reset|drop)|migration (redo|revert))\b/,
  sqlx: /^(database (drop|reset)|migrate revert)\b/,
  'sea-orm-cli': /^migrate (fresh|refresh|reset|down)\b/,
  goose: /(^| )(down(-to)?|reset|redo)\b/,
  migrate: /(^| )(drop|down|force)\b/,
  dbmate: /^(drop|rollback|down)\b/,
  atlas: /^(schema (clean|apply)|migrate down)\b/,
  'dotnet-ef': /^(database drop|database update 0|migrations remove)\b/,
  'node-pg-migrate': /^(down|redo)\b/,
  'db-migrate': /^(down|reset|db:drop)\b/,
  'migrate-mongo': /^down\b/,
  phinx: /^rollback\b/,
  yoyo: /^(rollback|reapply)\b/,
  tern: /^migrate\b.*-d/,
}
const aliases: Readonly<Record<string, string>> = {
  rake: 'rails',
  'sequelize-cli': 'sequelize',
  'typeorm-ts-node-commonjs': 'typeorm',
  'typeorm-ts-node-esm': 'typeorm',
  'django-admin': 'manage.py',
  'mikro-orm-esm': 'mikro-orm',
}

function reverts(call: ProgramCall): boolean {
  if (isForTests(call)) return false
  const name = aliases[call.program] ?? call.program
  if (call.has('--pretend', '--dump-sql', '--sql', '--fake', '--list') && !call.has('--force')) return false
  return revertCommands[name]?.test(firstWords(call, 8)) ?? false
}

const destroys =
  /(^|[-_:.])(reset|drop|wipe|nuke|truncate|flush|fresh|purge|destroy|rollback|undo|down|clear)(?=$|[-_:.])/i
const aboutData =
  /(^|[-_:.])(db|database|prisma|postgres|pg|mysql|mongo|redis|migrations?|migrate|schema|tables?|data)(?=$|[-_:.])/i

/** `npm run db:reset`, `make reset-db`: the guard does not see the script, but its name says what it does. */
function nameMeansDataLoss(script: string): boolean {
  return (
    destroys.test(script) &&
    aboutData.test(script) &&
    !/(^|[-_:.])(test|tests|e2e|dry|local-check)(?=$|[-_:.])/i.test(script)
  )
}

export const migrationRules: readonly GuardRule[] = [
  {
    id: 'db/migrate-back',
    program: [...Object.keys(revertCommands), ...Object.keys(aliases)],
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
    when: call => /^(db )?push\b/.test(firstWords(call)),
    severity: 'critical',
    reason: 'pushes the schema to the database even if data is lost',
    safer: 'npx prisma migrate dev',
    rewrite: { replace: { '--force-reset': '', '--accept-data-loss': '', '--force': '' } },
    match: ['npx prisma db push --force-reset', 'pnpm prisma db push --accept-data-loss', 'drizzle-kit push --force'],
    notMatch: ['prisma db push', 'prisma generate'],
  },
  {
    id: 'db/code',
    program: ['rails', 'manage.py', 'django-admin', 'artisan', 'mix', 'flask', 'iex'],
    when: call => {
      const given = [...call.values('-c', '--command', '--execute', '-e', '--eval'), ...call.after(1)]
      if (!/^(runner|r|shell|shell_plus|tinker|run|eval)\b/.test(firstWords(call, 1)) && call.program !== 'iex')
        return false
      return (
        given.find(({ value }) =>
          /\.(delete_all|destroy_all|truncate|drop_table|update_all|delete_all!)\b|\.all\(\)\.delete\(|objects\.(all\(\)\.)?delete\(|::(truncate|query\(\)->delete)\b|Repo\.delete_all|->(truncate|delete)\(\)|drop_all\(|flush_?(all|db)\b/i.test(
            value,
          ),
        ) ?? false
      )
    },
    severity: 'critical',
    reason: 'deletes or changes every record of a model',
    match: [
      "rails runner 'User.delete_all'",
      'php artisan tinker --execute="User::truncate();"',
      'python manage.py shell -c "User.objects.all().delete()"',
    ],
    notMatch: ["rails runner 'puts User.count'", 'python manage.py shell -c "print(User.objects.count())"'],
  },
  {
    id: 'db/build-tool',
    program: ['mvn', 'mvnw', 'gradle', 'gradlew', 'dotnet'],
    when: call =>
      call.operands.some(({ value }) =>
        /^(flyway:clean|flywayClean|liquibase:(dropAll|rollback)|:?[\w:-]*(dropAll|flywayClean))$/.test(value),
      ) ||
      (call.isSub('ef') && /^ef (database drop|database update 0)\b/.test(firstWords(call))),
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
