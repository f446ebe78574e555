import type { Argument } from '../../interpret/arguments.ts'
import { sqlDangers } from '../../languages/sql-dangers.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { mostCharacters } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'

const clients = list('curl wget http https xh xhs httpie curlie invoke-restmethod invoke-webrequest irm iwr')
const bodyOptions = list(
  '-d --data --data-binary --data-raw --data-ascii --data-urlencode --json --post-data --body-data -body --raw',
)

interface HttpRequest {
  method: string
  /** Host, port and path, and what follows a question mark, percent-decoded. */
  url: string
  body: string
  arg: Argument
  /** A service of this machine that listens on a socket file. */
  socket: string
}

/** Services that hold data, and tools that run other programs' data, by the port that they listen on. */
const dataPorts =
  /^[^/]*:(9200|9201|9300|5984|6984|8983|8086|6333|8529|7474|9000|2379|4001|7700|8108|8123|9308|15672|8500|8200|4646|2375|2376|6443|8428|9091|19530|9870|50070|8091)(\/|\?|$)/

/** Paths that only such services have, on whatever port. */
const dataPaths =
  /\/(_all|_snapshot|_index_template|_template|_ilm|_data_stream|_alias|solr|v1\/(kv|secret|sys|schema)|api\/(vhosts|dashboards\/(uid|db)|datasources|v1\/namespaces|v1\/nodes|v2\/buckets)|apis\/[\w.]+\/v\d\w*|webhdfs\/v1|admin\/v2\/(persistent|namespaces|tenants)|druid|v3\/clusters|service\/rest|artifactory)(\/|\?|$)|^[^/]*:808[13]\/(subjects|connectors)\//

/** Requests that delete whatever their method is. */
const deletingPaths = new RegExp(
  [
    String.raw`/_(delete_by_query|purge|close|shutdown)\b`,
    String.raw`/solr/admin/\w+\?(.*&)?action=(UNLOAD|DELETE\w*)\b`,
    String.raw`/admin/tsdb/(delete_series|clean_tombstones)\b`,
    String.raw`/loki/api/v1/delete\b`,
    String.raw`/api/v2/delete\b`,
    String.raw`/v3(alpha|beta)?/kv/deleterange\b`,
    String.raw`/v1/agent/(leave|force-leave)\b`,
    String.raw`/(volumes|containers|images|networks|system|build|libpod/\w+)/prune\b`,
    String.raw`/containers/[^/?]+/(kill|stop)\b`,
    String.raw`/actuator/shutdown\b`,
    '/(do[dD]elete|quietDown|safeExit|doWipeOutWorkspace)/?$',
    '/-/quit$',
    String.raw`/collections/[^/?]+/points/delete\b`,
    String.raw`/vectordb/\w+/(delete|drop)\b`,
    String.raw`/indexes/[^/?]+/documents/delete\b`,
    String.raw`:8000/api/v\d/reset/?$`,
    String.raw`/(markUnused|markAsUnused)\b`,
    String.raw`[?&]op=(DELETE|TRUNCATE)\b`,
    String.raw`/v1/sys/(seal|wrapping/rekey|rekey)\b`,
    String.raw`/1/indexes/[^/?]+/clear\b`,
  ].join('|'),
)
const engineSocket = /docker|podman|containerd|lxd|incus|snapd|libvirt/
const clusterSettings = /\/_(cluster|all|\w+)\/(settings|_settings|reroute)\b|\/_settings\b/
const emulators = /^[^/]*:(4566|10000|4443|8085)\/|\/emulator\/v1\//

/** Bodies in which a store is told to delete: Solr, Neo4j, Elasticsearch's bulk requests. */
const deletingBody = /<delete\b|"delete"\s*:\s*[{["]|\b(DETACH\s+)?DELETE\s+\w+\s*("|$)|\bREMOVE\s+\w+\s+IN\b/i

function deletesStoredData({ method, url, body, socket }: HttpRequest): boolean {
  if (emulators.test(url)) return false
  const holdsData = dataPorts.test(url) || dataPaths.test(url) || engineSocket.test(socket)
  const isRead = method === 'GET' || method === 'HEAD'
  if (method === 'DELETE') return holdsData
  if (!isRead && deletingPaths.test(url)) return true
  // Solr and InfluxDB delete on a GET too.
  if (isRead && /\/solr\/|[?&]op=DELETE\b/.test(url) && deletingPaths.test(url)) return true
  if (/\/solr\/[^?]*\/update\b/.test(url) && deletingBody.test(`${url} ${body}`)) return true
  if (!isRead && /:7474|\/db\/[^?]*(tx|transaction)|\/_bulk\b|\/_api\/cursor\b/.test(url) && deletingBody.test(body))
    return true
  if (
    method === 'PUT' &&
    dataPorts.test(url) &&
    clusterSettings.test(url) &&
    /destructive|read_only|number_of_replicas/.test(body)
  )
    return true
  return speaksSql.test(url) && sqlOf(url, body).some(sql => dropsData(sql))
}

/** ClickHouse, InfluxDB, QuestDB, rqlite, Manticore, Trino, Elasticsearch, and any path that ends in `sql` or `query`. */
const speaksSql =
  /^[^/]*:(8123|8443|8086|8428|9000|4001|9308|4200|8080\/v1\/statement)|\/(query|exec|execute|_?sql)(\/|\?|$)/

function sqlOf(url: string, body: string): string[] {
  const [, given = ''] = /[?&](?:query|q|sql|statement)=([^&]*)/.exec(url) ?? []
  return [
    given,
    body.replace(/^\w+=/, ''),
    ...(body.match(/"[^"\\]{5,}"/g) ?? []).slice(0, 20).map(text => text.slice(1, -1)),
  ]
}

function dropsData(sql: string): boolean {
  return /^\s*DROP\s+(MEASUREMENT|SERIES|SHARD|RETENTION|DATABASE|TABLE|USER)\b|^\s*DELETE\s+FROM\b|^\s*ALTER\s+TABLE\s+\S+\s+DELETE\b/i.test(
    sql,
  )
    ? true
    : sqlDangers(sql).some(({ kind }) => ['drop', 'truncate', 'delete-all', 'update-all', 'alter-drop'].includes(kind))
}

/** What the client would send; null if it names no address. */
function requestOf(call: ProgramCall): HttpRequest | null {
  const words = call.operands
  const isHttpie = /^(http|https|xhs?|httpie|curlie)$/.test(call.program)
  const first = words[0]?.value ?? ''
  const named =
    call.value('-X', '--request', '--method', '-method')?.value ??
    (isHttpie && /^[a-z]+$/i.test(first) ? first : undefined)
  const urls = [...words, ...call.values('--url', '-uri')]
  const arg = urls.find(({ value }) => /[:/.]/.test(value)) ?? null
  if (!arg) return null
  const bodies = call.values(...bodyOptions).map(({ value }) => value)
  const stdin = call.stdin.text ?? ''
  const readsStdin =
    bodies.some(body => /^@-?$|^@\/dev\/stdin$/.test(body)) ||
    (isHttpie && stdin !== '') ||
    call.value('-T', '--upload-file')?.value === '-'
  if (readsStdin) bodies.splice(0, bodies.length, stdin)
  if (isHttpie) bodies.push(...words.slice(1).map(({ value }) => value))
  const asQuery = call.has('-G', '--get')
  const isPost = (bodies.length > 0 && !asQuery) || call.has('-F', '--form', '-T')
  const method = (named ?? (isPost ? 'POST' : 'GET')).toUpperCase()
  const url = decode(arg.value.slice(0, mostCharacters))
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^:/, 'localhost:')
  const joined = asQuery && bodies.length > 0 ? `${url}${url.includes('?') ? '&' : '?'}${bodies.join('&')}` : url
  const socket = call.value('--unix-socket', '--abstract-unix-socket')?.value ?? ''
  return { method, url: joined.slice(0, 2 * mostCharacters), body: bodies.join('\n').slice(0, 20_000), arg, socket }
}

function decode(text: string): string {
  return text
    .replace(/\+/g, ' ')
    .replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Stores, brokers and clusters that are administered by HTTP. */
export const httpStoreRules: readonly GuardRule[] = [
  {
    id: 'db/http-delete',
    program: clients,
    none: ['-I', '--head', '--offline'],
    when: call => {
      const request = requestOf(call)
      return request && deletesStoredData(request) ? request.arg : false
    },
    severity: 'critical',
    reason: 'deletes stored data, or stops its server, by a request to its interface',
    match: [
      "curl 'http://solr:8983/solr/products/update?commit=true' --data-binary '<delete><query>*:*</query></delete>'",
      'curl "http://localhost:8983/solr/admin/cores?action=UNLOAD&core=products&deleteInstanceDir=true"',
      'curl --request DELETE http://localhost:7700/indexes/movies/documents',
      "curl -G http://localhost:8086/query --data-urlencode 'q=DROP DATABASE metrics' -X POST",
      "echo 'DROP TABLE events SYNC' | curl http://localhost:8123/ --data-binary @-",
      "curl -X POST -g 'http://prom:9090/api/v1/admin/tsdb/delete_series?match[]=up'",
      'curl -u guest:guest -X DELETE http://localhost:15672/api/queues/%2F/orders/contents',
      "curl -X DELETE 'http://127.0.0.1:8500/v1/kv/?recurse=true'",
      'curl --unix-socket /var/run/docker.sock -X DELETE http://localhost/v1.43/volumes/pgdata',
      'curl -X DELETE http://127.0.0.1:8001/api/v1/namespaces/prod',
      'xh delete :7700/indexes/movies',
    ],
    notMatch: [
      "curl 'http://localhost:8983/solr/products/select?q=*:*&rows=0'",
      'curl -X DELETE http://localhost:3000/api/items/1',
      'http DELETE :8000/api/v1/books/1',
      'curl -X POST localhost:9200/logs/_search -d \'{"query":{"match_all":{}}}\'',
      "curl -G http://localhost:8086/query --data-urlencode 'q=SHOW DATABASES'",
      "echo 'SELECT count() FROM events' | curl http://localhost:8123/ --data-binary @-",
      'curl --unix-socket /var/run/docker.sock http://localhost/containers/json',
      'curl -X POST http://localhost:3000/api/orders -d \'{"delete":false}\'',
      'curl http://localhost:8001/api/v1/namespaces/default/pods',
      "curl 'http://localhost:3000/search?q=drop+table'",
      'curl -X DELETE http://localhost:8080/emulator/v1/projects/p/databases/d/documents',
    ],
  },
]
