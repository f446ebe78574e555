import { type Argument, literal, unknownText } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'

const mongo = ['mongosh', 'mongo', 'mongocli']
const redis = ['redis-cli', 'valkey-cli', 'keydb-cli', 'iredis']

/** The code that a client would run: in its options, its operands and on stdin. */
function scripts(call: ProgramCall, ...options: string[]): Argument[] {
  const stdin = call.stdin.text ? [literal(call.stdin.text, call.frame.span)] : []
  return [...call.values(...options), ...call.operands, ...stdin]
}

/** The command in the arguments, and one per line of stdin. */
function redisCommands(call: ProgramCall): string[][] {
  const lines = (call.stdin.text ?? '').split('\n').map(line => line.trim().split(/\s+/))
  return [call.operands.map(({ value }) => value), ...lines].map(([name = '', ...rest]) => [
    name.toUpperCase(),
    ...rest,
  ])
}

const codeOptions = ['-c', '-e', '--javascript.execute-string']

/** A script whose calls are named only at run time can do anything. */
function luaDeletes(script: string): boolean {
  const joined = script.replace(/(["'])[ \t]*\.\.[ \t]*(["'])/g, '')
  return /flush(all|db)|\bdel\b|unlink|shutdown|config|redis\.p?call\(\s*[^\s"']/i.test(joined)
}

export const nosqlRules: readonly GuardRule[] = [
  {
    id: 'db/mongo-drop',
    program: mongo,
    when: call =>
      /(^|[-_/])(drop|wipe|purge|truncate)[\w-]*\.m?js$/.test(call.stdin.file ?? '') ||
      (scripts(call, '--eval', '-e').find(({ value }) =>
        /(^|[-_/])(drop|wipe|purge|truncate)[\w-]*\.m?js$|\.\s*((drop(Database|Indexes|User|AllUsersFromDatabase|Role)?|shutdownServer)\s*\(|deleteMany\s*\(\s*\{\s*\}|remove\s*\(\s*(\{\s*\})?\s*\)|deleteMany\s*\(\s*\)|updateMany\s*\(\s*\{\s*\}|update\s*\(\s*\{\s*\}\s*,)|\bdropDatabase\b|\b(drop|shutdown)\s*:\s*(1|['"])/.test(
          value,
        ),
      ) ??
        false),
    severity: 'critical',
    reason: 'drops or empties a collection or a database',
    match: [
      "mongosh --eval 'db.dropDatabase()'",
      'mongosh app --eval "db.users.deleteMany({})"',
      "echo 'db.users.drop()' | mongosh",
      "mongo app --eval 'db.x.remove({ })'",
    ],
    notMatch: [
      "mongosh --eval 'db.users.find({})'",
      'mongosh --eval "db.users.deleteMany({ old: true })"',
      "mongosh --eval 'db.dropdowns.find()'",
    ],
  },
  {
    id: 'db/mongo-restore',
    program: ['mongorestore', 'mongoimport'],
    any: ['--drop'],
    severity: 'critical',
    reason: 'drops every collection before restoring it',
    safer: 'mongorestore dump/',
    rewrite: { replace: { '--drop': '' } },
    match: ['mongorestore --drop dump/'],
    notMatch: ['mongorestore dump/', 'mongodump'],
  },
  {
    id: 'db/redis-flush',
    program: redis,
    when: call =>
      /flush|del|purge|wipe|clear/i.test(call.value('--eval')?.value ?? '') ||
      (call.has('--cluster') &&
        /^(del-node|reset|fix|reshard|rebalance|call|import)/.test(firstWords(call, 1)) &&
        !/^call \S+ (info|ping|get|dbsize|cluster (info|nodes))\b/i.test(firstWords(call))) ||
      redisCommands(call).some(
        ([name = '', first = '', ...rest]) =>
          /^(FLUSHALL|FLUSHDB|SHUTDOWN|DEBUG|SLAVEOF|REPLICAOF|FAILOVER|SWAPDB|RESTORE|MIGRATE|FT\.DROP(INDEX)?|GRAPH\.DELETE)$/.test(
            name,
          ) ||
          (name === 'CONFIG' && /^(set|rewrite)$/i.test(first)) ||
          (name === 'ACL' && /^(setuser|deluser|load)$/i.test(first)) ||
          (name === 'CLUSTER' && /^(reset|forget|flushslots|failover)$/i.test(first)) ||
          (/^(SCRIPT|FUNCTION)$/.test(name) && /^(flush|delete|restore)$/i.test(first)) ||
          (name === 'XGROUP' && /^destroy$/i.test(first)) ||
          (name === 'MODULE' && /^(load|unload)/i.test(first)) ||
          (/^(EVAL|EVAL_RO)$/.test(name) && luaDeletes(`${first} ${rest}`)),
      ),
    severity: 'critical',
    reason: 'empties the store, or stops or reconfigures its server',
    match: [
      'redis-cli FLUSHALL',
      'redis-cli -h x -a y flushdb',
      'echo FLUSHALL | redis-cli',
      'redis-cli config set dir /',
      `redis-cli EVAL "return redis.call('FLUSH'..'DB')" 0`,
      'redis-cli --cluster del-node a b',
    ],
    notMatch: ['redis-cli GET flushall', 'redis-cli config get dir', 'redis-cli set a FLUSHALL', 'redis-cli ping'],
  },
  {
    id: 'db/redis-many',
    program: redis,
    when: call => {
      const [name = '', ...keys] = call.operands
      if (!/^(del|unlink)$/i.test(name ? name.value : '')) return false
      return call.frame.via.some(via => /^(xargs|parallel)$/.test(via)) || keys.some(key => key.value === unknownText)
    },
    severity: 'high',
    reason: 'deletes many keys, and which ones is known only at run time',
    match: ["redis-cli KEYS '*' | xargs redis-cli DEL", "redis-cli del $(redis-cli keys '*')"],
    notMatch: ['redis-cli DEL session:1', 'redis-cli del "user:$id"'],
  },
  {
    id: 'db/store-delete',
    program: list(
      'influx etcdctl neo4j-admin cypher-shell nodetool rabbitmqctl rabbitmqadmin couchbase-cli hdfs hbase riak-admin nats arangosh aql asadm',
    ),
    when: call => {
      const text = firstWords(call)
      const all = scripts(call, '-q', '-f', '--query')
      if (call.program === 'cypher-shell')
        return all.find(({ value }) => /\b(delete|drop|remove)\b/i.test(value)) ?? false
      if (/^(arangosh|aql|asadm)$/.test(call.program))
        return (
          scripts(call, ...codeOptions).find(({ value }) =>
            /\b(_?drop\w*|_?truncate|delete|remove\w*)\b/i.test(value),
          ) ?? false
        )
      if (call.program === 'neo4j-admin')
        return /\bload\b|\brestore\b/.test(text) && call.has('--overwrite-destination', '--force')
      if (call.program === 'hdfs')
        return call.args.some(({ value }) => /^-(rm|rmr|expunge|deleteSnapshot)$/.test(value))
      if (call.program === 'hbase') return /\b(disable|drop|truncate)(_all)?\b/.test(call.stdin.text ?? '')
      return /(^|\s|-)(del|delete|rm|decommission|removenode|assassinate|drain|reset|force_reset|force_boot|purge|purge_queue|delete_(queue|vhost|user)|flush_all|bucket-delete|bucket-flush|clearsnapshot|restore|remove)(?=\s|-|$)/.test(
        text,
      )
    },
    severity: 'critical',
    reason: 'deletes data, or takes part of the store out of service',
    match: [
      'etcdctl del "" --prefix',
      'influx bucket delete -n m',
      "cypher-shell 'MATCH (n) DETACH DELETE n'",
      'nodetool decommission',
      'rabbitmqctl reset',
    ],
    notMatch: ['etcdctl get foo', 'influx query x', "cypher-shell 'MATCH (n) RETURN n'", 'nodetool status'],
  },
  {
    id: 'db/elastic',
    program: ['curl', 'http', 'xh'],
    when: call => {
      const words = call.args.map(({ value }) => value)
      const url = words.find(value =>
        /:9[23]00\b|_all\b|_delete_by_query|\/_bulk|\/_(cluster|settings|close|snapshot)\b/.test(value),
      )
      const method =
        call.value('-X', '--request')?.value ?? words.find(value => /^(DELETE|POST|PUT)$/.test(value)) ?? ''
      return url !== undefined && (/^delete$/i.test(method) || /_delete_by_query/.test(url))
    },
    severity: 'critical',
    reason: 'deletes an index, or many documents at once',
    match: [
      'curl -X DELETE localhost:9200/_all',
      "curl -XDELETE 'http://es:9200/logs-*'",
      'curl -XPOST es:9200/a/_delete_by_query -d x',
    ],
    notMatch: ['curl localhost:9200/_cat/indices', 'curl -X DELETE http://localhost:3000/api/items/1'],
  },
  {
    id: 'db/elastic-cluster',
    program: ['curl', 'http', 'xh'],
    operandMatches:
      /\/_(cluster\/(settings|reroute|voting_config_exclusions)|all\/_settings|security|slm|ilm\/policy)\b/,
    oneOf: [
      { option: { '-X --request': /^(PUT|POST|PATCH)$/i } },
      { words: /^(PUT|POST|PATCH) /i },
      { any: list('-d --data --data-binary --data-raw --json -T --upload-file') },
    ],
    severity: 'high',
    reason: 'changes how a whole search cluster works',
    match: [
      'curl -X PUT es:9200/_cluster/settings -d \'{"persistent":{"cluster.routing.allocation.enable":"none"}}\'',
      'http PUT es.example.com:9200/_all/_settings number_of_replicas=0',
      'curl -X POST es:9200/_cluster/reroute -d @move.json',
    ],
    notMatch: [
      'curl es:9200/_cluster/settings',
      'curl -s localhost:9200/_cluster/health',
      'curl -X PUT localhost:9200/logs',
    ],
  },
]
