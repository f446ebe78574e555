import type { Argument } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { isDatastoreUrl, isRemote, mayBeRemote } from '../../urls.ts'
import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'

const changingMethods = ['DELETE', 'PUT', 'PATCH']
const bodyOptions = list(
  '-d --data --data-binary --data-raw --data-ascii --data-urlencode --json -F --form --form-string',
)

/** Requests that change something on another machine, or send data there. */
export const httpRequestRules: readonly GuardRule[] = [
  {
    id: 'network/change-elsewhere',
    program: ['curl', 'wget', 'http', 'https', 'xh', 'xhs'],
    when: call => changingMethods.includes(methodOf(call)) && (urlsOf(call).find(mayBeRemote) ?? false),
    severity: 'medium',
    reason: 'changes or deletes something on another machine',
    match: [
      'curl -X DELETE https://api.example.com/users/42',
      'curl -XPUT https://api.example.com/config -d x',
      'http DELETE https://api.example.com/users/1',
      'wget --method=DELETE https://api.example.com/users/1',
    ],
    notMatch: [
      'curl https://api.example.com/users',
      'curl -X DELETE http://localhost:3000/users/1',
      'http DELETE :3000/users/1',
      'curl -X GET https://api.example.com',
    ],
  },
  {
    id: 'network/delete-index',
    program: ['curl', 'wget', 'http', 'https', 'xh'],
    when: call => methodOf(call) === 'DELETE' && (urlsOf(call).find(isDatastoreUrl) ?? false),
    severity: 'high',
    reason: 'deletes an index, a bucket or a database over HTTP',
    match: ["curl -XDELETE 'http://localhost:9200/_all'", 'curl -X DELETE localhost:5984/db'],
    notMatch: ['curl localhost:9200/_cat/indices', 'curl -X DELETE http://localhost:3000/users/1'],
  },
  {
    id: 'network/send',
    program: ['curl', 'wget', 'http', 'https', 'xh', 'xhs'],
    when: call => sends(call) && (urlsOf(call).find(isRemote) ?? false),
    severity: 'medium',
    reason: 'sends data to another machine',
    match: [
      'curl -d a=1 https://api.example.com/form',
      'curl -X POST https://hooks.slack.com/services/x -d "{}"',
      'curl -T backup.tgz https://transfer.sh/',
      'curl -F file=@a.pdf https://upload.example.com',
      'wget --post-file=dump.sql https://example.com',
      'http POST api.example.com/users name=joe',
    ],
    notMatch: [
      'curl -d a=1 http://localhost:3000',
      'curl -G -d q=x https://api.example.com/search',
      'http POST :3000/users name=joe',
      'curl -X POST "$BASE_URL/api" -d x',
      'http https://api.example.com/users',
    ],
  },
]

function methodOf(call: ProgramCall): string {
  const named = call.value('-X', '--request', '--method')?.value
  if (named !== undefined) return named.toUpperCase()
  const [first] = call.operands
  return /^(http|https|xhs?)$/.test(call.program) && /^[a-z]+$/i.test(first?.value ?? '')
    ? (first?.value ?? '').toUpperCase()
    : ''
}

function sends(call: ProgramCall): boolean {
  if (call.program === 'curl') {
    if (call.has('-G', '--get', '-I', '--head')) return false
    return (
      call.value(...bodyOptions) !== null || call.value('-T', '--upload-file') !== null || methodOf(call) === 'POST'
    )
  }
  if (call.program === 'wget') return call.value('--post-data', '--post-file', '--body-data', '--body-file') !== null
  return methodOf(call) === 'POST' || call.operands.some(({ value }, i) => i > 0 && /^[\w.-]+(=|:=|@)/.test(value))
}

function urlsOf(call: ProgramCall): readonly Argument[] {
  if (call.program === 'curl' || call.program === 'wget') return [...call.operands, ...call.values('--url')]
  const [first, second] = call.operands
  const url = /^[a-z]+$/i.test(first?.value ?? '') && second ? second : first
  return url ? [url] : []
}
