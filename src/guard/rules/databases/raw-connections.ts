import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'

// One command per line, as memcached and Redis read it, also behind Redis' own framing (`*1`, `$8`); or a raw HTTP request.
const commands =
  /^[ \t"']*(flush_all|flushall|flushdb|shutdown|debug segfault|replicaof|slaveof|config set|swapdb|cluster reset|script flush)\b/im
const deletingRequest = /^[ \t]*DELETE \/\S* HTTP\//m

/** Services that are told to empty themselves over a plain connection. */
export const rawConnectionRules: readonly GuardRule[] = [
  {
    id: 'db/raw-flush',
    program: list('nc ncat netcat nc.openbsd nc.traditional socat telnet busybox-nc openssl gnutls-cli > >>'),
    when: ({ program, stdin, operands }) => {
      if (/^>/.test(program) && !/^\/dev\/(tcp|udp)\//.test(operands[0]?.value ?? '')) return false
      if (program === 'openssl' && operands[0]?.value !== 's_client') return false
      const text = (stdin.text ?? '').slice(0, 20_000)
      return commands.test(text) || deletingRequest.test(text)
    },
    severity: 'critical',
    reason: 'empties the store, or stops or reconfigures its server',
    match: [
      'echo flush_all | nc -q 2 memcached.prod 11211',
      "printf 'flush_all\\r\\nquit\\r\\n' | nc memcached.prod 11211",
      'nc localhost 11211 <<< flush_all',
      "printf '*1\\r\\n$8\\r\\nFLUSHALL\\r\\n' | nc redis 6379",
      'echo flush_all > /dev/tcp/localhost/11211',
      "printf 'DELETE /_all HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' | nc localhost 9200",
    ],
    notMatch: [
      "printf 'stats\\r\\nquit\\r\\n' | nc localhost 11211",
      'echo PING | nc localhost 6379',
      'echo ruok | nc localhost 2181',
      "printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc localhost 8080",
      'echo flush_all > notes.txt',
    ],
  },
]
