import { list } from '../../word-list.ts'
import { type Deletions, deletes } from '../deletions.ts'
import type { Grammars, GuardRule } from '../rule.ts'

const named = /(^| |:)(delete|remove|rm|purge|destroy|drop|wipe|clear|truncate|reset|terminate)( |$|-)/

// Queues, brokers, clusters of storage, mail and directories: what each calls deleting or emptying.
const brokerDeletions: Deletions = {
  'kafka-topics': [{ any: ['--delete'] }, { any: ['--alter'] }],
  'kafka-delete-records': {},
  'kafka-consumer-groups': [
    { any: list('--delete --delete-offsets') },
    { any: ['--reset-offsets'], none: ['--dry-run', '--export'] },
  ],
  'kafka-configs': { any: ['--alter'] },
  'kafka-acls': { any: ['--remove', '--add'] },
  'kafka-storage': { sub: /^format\b/ },
  'kafka-streams-application-reset': { none: ['--dry-run'] },
  'kafka-reassign-partitions': { any: ['--execute'] },
  rpk: {
    sub: /^(topic|group|acl|security \w+|cluster \w+|transform|registry \w+) (delete|trim|trim-prefix|seek|uninstall|alter-config)/,
  },
  kaf: { sub: /^(topic|group|topics|groups) (delete|rm|commit)\b/ },
  kafkactl: { sub: /^(delete|reset|alter)\b/ },
  confluent: { sub: /(^| )delete\b/ },
  zkcli: { sub: /(^| )(delete|deleteall|rmr|set|setquota|setacl)\b/i },
  'zookeeper-shell': { sub: /(^| )(delete|deleteall|rmr|set|setAcl)\b/ },
  'zk-shell': { sub: /(^| )(rm|rmr|set)\b/ },
  celery: { sub: /(^| )(purge|control (shutdown|cancel_consumer|revoke|terminate)|amqp queue\.(purge|delete))\b/ },
  rq: { sub: /^empty\b/ },
  'pulsar-admin': { sub: named },
  hadoop: { any: ['-rm', '-rmr', '-expunge', '-rmdir', '-truncate'] },
  ceph: { sub: /(^| )(rm|remove|delete|purge|destroy|purge-new|out|rm-snap|zap)( |$)/ },
  rbd: {
    sub: /^(rm|remove|resize|flatten|(snap|trash|group|mirror \w+|pool|namespace) (rm|remove|purge|rollback|disable))\b/,
  },
  rados: { sub: /^(rm|purge|rmpool|cppool|rmsnap|rollback|truncate)\b/ },
  'radosgw-admin': { sub: /(^| )(rm|remove|purge|unlink|delete)\b/ },
  'ceph-volume': { sub: /(^| )zap\b/ },
  gluster: { sub: /(^| )(delete|stop|remove-brick|reset|detach)\b/ },
  drbdadm: { sub: /^(wipe-md|create-md|invalidate|invalidate-remote)\b/ },
  ipfs: { sub: /^(pin rm|files rm|key rm|repo gc|block rm)\b/ },
  postsuper: { any: ['-d'] },
  exim: { any: ['-Mrm'] },
  exim4: { any: ['-Mrm'] },
  doveadm: { sub: /^(expunge|purge|mailbox delete|dedup|move|kick)\b/ },
  ldapdelete: { none: ['-n'] },
  ldapmodify: { none: ['-n'] },
  ldbdel: {},
  'samba-tool': { sub: /(^| )(delete|remove|demote)\b/ },
  ipa: { sub: /^\w+-(del|remove-\w+|disable)\b/ },
  kdb5_util: { sub: /^destroy\b/ },
  algolia: { sub: /^(indices|objects|rules|synonyms|apikeys|dictionary entries) (clear|delete|move)\b/ },
  solr: { sub: /^(delete|zk rm)\b/ },
  curator_cli: { sub: /^(delete|close|forcemerge|rollover|shrink)/, none: ['--dry-run'] },
  memcflush: {},
  memcrm: {},
  memflush: {},
  'memcached-tool': { sub: /(^| )flush/ },
  arangorestore: { any: ['--overwrite', '--all-databases'] },
  temporal: { sub: /(^| )(terminate|delete|cancel|reset)\b/ },
  tctl: { sub: /(^| )(terminate|delete|term|remove|rm)\b/ },
  supervisorctl: { sub: /^(clear|remove|shutdown)\b/ },
  airflow: {
    sub: /^(db (reset|clean|downgrade|drop-archived)|(dags|connections|variables|pools|users|roles|assets) (delete|remove|del)|tasks clear|dags backfill)\b|^resetdb\b/,
  },
  dagster: { sub: /^(run (wipe|delete)|asset wipe|instance reindex|schedule wipe|sensor wipe)/ },
  prefect: { sub: /(^| )(delete|rm|reset|purge|clear)\b/ },
  superset: { sub: /^db downgrade\b/ },
  mlflow: { sub: /^(gc|experiments delete|runs delete|db upgrade)\b/ },
  dvc: { sub: /^(gc|destroy|remote remove)\b/, none: ['--dry'] },
  dbt: [{ any: ['--full-refresh', '-f'] }, { sub: /^run-operation \S*(drop|delete|truncate|clean|wipe|reset|purge)/ }],
  databricks: {
    sub: /(^| )(delete|delete-\w+|permanent-delete|permanently-delete-\w+|rm|destroy|delete-scope|purge|uninstall|reset)\b/,
  },
  snow: { sub: /(^| )(drop|delete|rm|remove|terminate|suspend)\b/ },
  cbt: { sub: /(^| )(delete\w*|drop\w*)\b/ },
  influxd: { sub: /^(restore|inspect delete-tsm|recovery)\b/ },
}

/** zkCli.sh and zookeeper-shell read commands from stdin too. */
const typed = /^[ \t]*(deleteall|delete|rmr|rm|set|setquota)\s/im

/** Programs that are installed with and without the ending of a script. */
const programs = Object.keys(brokerDeletions).flatMap(name =>
  /^(kafka-|zkcli|zookeeper|hadoop)/.test(name) ? [name, `${name}.sh`] : [name],
)

export const brokerRules: readonly GuardRule[] = [
  {
    id: 'db/broker-delete',
    program: programs,
    when: call =>
      deletes(call, brokerDeletions) || (/^(zk|zookeeper)/.test(call.program) && typed.test(call.stdin.text ?? '')),
    severity: 'critical',
    reason: 'deletes or empties queues, topics, volumes or other stored data',
    match: [
      'kafka-delete-records --bootstrap-server k:9092 --offset-json-file o.json',
      'kafka-consumer-groups --bootstrap-server k:9092 --group g --reset-offsets --to-latest --all-topics --execute',
      'kafka-configs.sh --bootstrap-server k:9092 --alter --entity-type topics --entity-name o --add-config retention.ms=1',
      'rpk topic delete orders',
      'zkCli.sh -server zk:2181 deleteall /brokers',
      "echo 'deleteall /brokers' | zkCli.sh -server zk:2181",
      'celery -A app.tasks purge -f',
      'rq empty default',
      'hadoop fs -rm -r /data',
      'rbd rm pool/image',
      'airflow db reset -y',
      'dbt run --full-refresh',
    ],
    notMatch: [
      'kafka-topics.sh --bootstrap-server k:9092 --list',
      'kafka-consumer-groups --bootstrap-server k:9092 --describe --group g',
      'kafka-consumer-groups --bootstrap-server k:9092 --group g --reset-offsets --to-latest --dry-run',
      'kafka-console-consumer --bootstrap-server k:9092 --topic deleted-users',
      'zkCli.sh -server zk:2181 ls /',
      'celery -A app.tasks inspect active',
      'celery -A purge worker -l info',
      'hadoop fs -ls /',
      'ceph status',
      'dbt run',
      'airflow dags list',
    ],
  },
]

const kafka = {
  values: list(
    `--bootstrap-server --zookeeper --topic --group --command-config --offset-json-file --entity-type --entity-name --add-config --delete-config
    --config --partitions --replication-factor --to-offset --to-datetime --shift-by --application-id --input-topics --consumer.config`,
  ),
}
const kafkaTools = programs.filter(name => name.startsWith('kafka-'))
const zookeeper = { words: true, values: list('-server -timeout -client-configuration') }

export const brokerGrammar: Grammars = {
  ...Object.fromEntries(kafkaTools.map(name => [name, kafka])),
  'kafka-storage': { values: list('-t --cluster-id -c --config') },
  'kafka-storage.sh': { values: list('-t --cluster-id -c --config') },
  zkcli: zookeeper,
  'zkcli.sh': zookeeper,
  celery: {
    values: list('-A --app -b --broker --workdir --config -l --loglevel -Q --queues -n --hostname -c --concurrency'),
  },
  rq: { values: list('-u --url -c --config') },
  rpk: { values: list('-X --config --brokers --profile') },
  hadoop: { words: true },
  ceph: { values: list('-c --conf -n --name --id --cluster -f --format -k') },
  rbd: { values: list('-p --pool --id -c --conf --cluster --size --image') },
  rados: { values: list('-p --pool -N -c --conf') },
  exim: { words: true },
  exim4: { words: true },
  postsuper: { values: ['-c'] },
  ldapdelete: { values: list('-D -w -H -h -p -y -f -b -Y -U') },
  ldapmodify: { values: list('-D -w -H -h -p -y -f -Y -U') },
  doveadm: { values: ['-c', '-o'] },
  solr: { words: true, values: list('-c -p -z -n -d') },
  airflow: { values: list('--subdir -S --clean-before-timestamp --tables') },
  dbt: { values: list('-s --select --profiles-dir --project-dir -t --target --vars --args --exclude -m --models') },
  databricks: { values: list('-p --profile -t --target -o --output --json') },
  snow: { values: list('-c --connection -q --query --format -f --filename --role --warehouse --database --schema') },
  cbt: { words: true, values: list('-project -instance -creds') },
  temporal: { values: list('-n --namespace --address --query -q -w --workflow-id --reason') },
  'pulsar-admin': { values: list('--admin-url --auth-params --auth-plugin') },
  mlflow: { values: list('--backend-store-uri --experiment-id -x') },
}
