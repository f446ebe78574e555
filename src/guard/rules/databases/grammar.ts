import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'

const mysql = { values: list('-e --execute -h --host -P --port -u --user -D --database -S --socket') }
const redis = {
  values: list('-h -p -a -n -u -i -r -s --user --pass --pattern --eval -t -D -d --cacert --cert --key'),
  posix: true,
}
const mongo = { values: list('--eval -e --host --port -u --username -p --password --authenticationDatabase -f --file') }

export const databaseGrammar: Grammars = {
  psql: {
    values: list(
      '-c --command -f --file -h --host -p --port -U --username -d --dbname -v --set --variable -o --output -F -R -P -T -L',
    ),
  },
  pgcli: { values: list('-h -p -U -u -d -e --execute') },
  // The value of -p, a password, is never the next argument.
  mysql,
  mariadb: mysql,
  mycli: mysql,
  sqlite3: { values: list('-cmd -init -separator -newline -nullvalue -vfs'), words: true },
  duckdb: { values: list('-c -cmd -init -s -f'), words: true },
  sqlcmd: { values: list('-S -U -P -d -Q -q -i -o -v') },
  usql: { values: list('-c --command -f --file -o -v') },
  cockroach: { values: list('-e --execute --host --url -u --user -d --database --certs-dir -f --file') },
  clickhouse: { values: list('-q --query -h --host --port -u --user --password -d --database --queries-file') },
  'clickhouse-client': {
    values: list('-q --query -h --host --port -u --user --password -d --database --queries-file'),
  },
  cqlsh: { values: list('-e --execute -f --file -u -p -k') },
  snowsql: { values: list('-q --query -f --filename -a -u -d -s -r -w -c') },
  bq: { values: list('--project_id --location --format --max_rows -n'), words: true },
  prisma: { values: list('--schema --file --url --name') },
  osql: { values: list('-S -U -P -d -Q -q -i -o') },
  trino: { values: list('--execute --server --catalog --schema --user --file -f --password') },
  presto: { values: list('--execute --server --catalog --schema --user --file -f --password') },
  'spark-sql': { values: list('-e -f --master --database --conf') },
  hive: { values: list('-e -f --database --hiveconf') },
  beeline: { values: list('-u -n -p -e -f -d') },
  'impala-shell': { values: list('-i -q --query -f -d -u') },
  vsql: { values: list('-c --command -f -h -d -U -w -p') },
  mclient: { values: list('-s --statement -d -h -p -u') },
  'spanner-cli': { values: list('-e --execute -p -i -d -f') },
  wp: { values: list('--path --url --ssh') },
  drush: { values: list('-r --root -l --uri') },
  createdb: { values: list('-h --host -p --port -U --username -O --owner -T --template -E --encoding -D -l --locale') },
  dropdb: { values: list('-h --host -p --port -U --username --maintenance-db') },
  supabase: { values: list('--sql --db-url --project-ref --workdir') },
  sqlplus: { posix: true },
  pg_restore: {
    values: list('-d --dbname -h --host -p --port -U --username -j --jobs -f --file -n -t -F -L -N -T --role'),
  },
  mysqladmin: { values: list('-h --host -P --port -u --user -S --socket') },
  mongosh: mongo,
  mongo,
  'redis-cli': redis,
  'valkey-cli': redis,
  influx: { words: true, values: list('-execute -n --name --bucket --start --stop -o --org -t --token --host') },
  etcdctl: { values: list('--endpoints --cacert --cert --key --user -w') },
  nodetool: { values: list('-h --host -p --port -u -pw') },
  flask: { values: list('-A --app -e --env-file -d --directory') },
  alembic: { values: list('-c --config -n --name -x') },
  flyway: { words: true },
  typeorm: { values: list('-d --dataSource -f --config -c --connection') },
  goose: { values: list('-dir -table'), words: true },
  migrate: { values: list('-path -database -source'), words: true },
  dbmate: { values: list('-u --url -d --migrations-dir -e --env') },
  atlas: { values: list('-u --url --to --dev-url --env') },
  rails: { values: list('-e --environment') },
  'manage.py': { values: list('--settings --database -c --command -v') },
  artisan: { values: list('--database --path --env') },
  console: { values: list('-e --env --em') },
  hasura: { values: list('--down --up --endpoint --admin-secret --project') },
}
