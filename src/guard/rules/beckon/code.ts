import { type Argument, literal, origins } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'

/** Deciding without the commands: over HTTP, or from code. */
export const codeRules: readonly GuardRule[] = [
  {
    id: 'beckon/decide-over-http',
    program: list('curl wget http https xh xhs curlie lwp-request invoke-webrequest invoke-restmethod iwr irm'),
    when: call => changes(call) && (call.args.find(arg => isDecision(arg)) ?? false),
    severity: 'critical',
    reason: "decides in your place over Beckon's HTTP API: answers a request, makes a rule or creates a token",
    match: [
      `curl -X PUT http://127.0.0.1:4141/api/requests/req_1/answer -d '{"value":"yes"}'`,
      'curl -XPUT "$BECKON_URL/api/requests/req_1/answer" --json @a.json',
      'curl --request POST "$BECKON_URL/api/tokens" --json @t.json',
      'http PUT :4141/api/requests/req_1/decline reason=no',
      'wget --method=PUT --body-data={} https://beckon.example.com/api/requests/req_1/rule',
      'curl -d {} localhost:4141/api/session/links',
      'curl -X PUT localhost:4141/api/requests/req_1/%61nswer -d {}',
      'curl -X PUT localhost:4141//api/x/../requests/req_1/answer -d {}',
    ],
    notMatch: [
      'curl http://127.0.0.1:4141/api/requests/req_1',
      'curl -X POST "$BECKON_URL/api/requests" --json @ask.json',
      'curl -X POST "$BECKON_URL/api/requests/req_1/messages" -d x',
      'curl -X PUT http://localhost:3000/api/tokens/1',
      'curl http://127.0.0.1:4141/api/rules',
    ],
  },
  {
    id: 'beckon/decide-over-socket',
    program: list('nc ncat netcat socat telnet openssl > >>'),
    when: ({ stdin }) => stdin.text !== null && /^(PUT|POST|PATCH|DELETE) /m.test(stdin.text) && decides(stdin.text),
    severity: 'critical',
    reason: "decides in your place over Beckon's HTTP API: answers a request, makes a rule or creates a token",
    match: ["printf 'PUT /api/requests/req_1/answer HTTP/1.1\\r\\n' | nc localhost 4141"],
    notMatch: ["printf 'GET /api/requests/req_1 HTTP/1.1\\r\\n' | nc localhost 4141"],
  },
  {
    id: 'beckon/code',
    program: '*',
    when: codeAgainstBeckon,
    severity: 'critical',
    reason: "uses Beckon's database, key or library from code, where it could answer in your place",
    match: [
      `python3 -c 'import sqlite3; sqlite3.connect("/home/me/.local/share/beckon/beckon.db")'`,
      `python3.12 <<'E'\nimport sqlite3\nsqlite3.connect("beckon.db").execute("update requests set status=1")\nE`,
      `node -e 'import("beckon").then(b => b.openHub()).then(h => h.answer("req_1", { value: "yes" }))'`,
      `node --input-type=module -e 'import { openHub } from "beckon"; (await openHub()).decline("req_1")'`,
      `ruby -e 'puts File.read(Dir.home + "/.local/share/beckon/key")'`,
      `python3 -c 'import requests; requests.put("http://localhost:4141/api/requests/r/answer", json={})'`,
    ],
    notMatch: [
      `node -e 'import("beckon").then(b => b.openHub()).then(h => h.ask({ questions: [] }))'`,
      `python3 -c 'print("beckon")'`,
      'node scripts/beckon.db.js',
      `node -e 'console.log(require("beckon/package.json").version)'`,
    ],
  },
]

const decisions = /\/api\/requests\/[^/?#\s'"]+\/(answer|skip|decline|rule|file)\b/
const administration = /\/api\/(rules|tokens|kept|notify|sessions?)\b/
const beckonServer = /^(https?:\/\/)?([^/]*beckon[^/]*|(localhost|127\.0\.0\.1|\[::1\])?:4141)(\/|$)/i

/** Routes with common names count only on what is a server of Beckon's. */
function isDecision({ value, from }: Argument): boolean {
  const text = plainRoute(value.slice(0, mostCharacters))
  return (
    decisions.test(text) || (administration.test(text) && ((from & origins.beckon) !== 0 || beckonServer.test(text)))
  )
}

function decides(text: string): boolean {
  return decisions.test(plainRoute(text.slice(0, mostCharacters)))
}

/** The route as the server reads it: `%61nswer` is `answer`, `//` and `/x/..` count for nothing; curl writes out `{answer}` itself. */
function plainRoute(text: string): string {
  return text
    .replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/[{}]/g, '')
    .replace(/(?<!:)\/{2,}/g, '/')
    .replace(/\/[^/?#\s]+\/\.\.(?=\/)/g, '')
    .replace(/\/\.(?=\/)/g, '')
}

/** No address is longer. */
const mostCharacters = 4_096

function changes(call: ProgramCall): boolean {
  const method = call.value('-X', '--request', '--method')?.value ?? call.operands[0]?.value ?? ''
  if (/^(PUT|POST|PATCH|DELETE)$/i.test(method) || /^(lwp-request|i)/.test(call.program)) return true
  return call.value(...bodyOptions) !== null
}

const bodyOptions = list(
  '-d --data --data-binary --data-raw --data-urlencode --json -F --form -T --upload-file --post-data --post-file --body-data --body-file',
)

const interpreters =
  /^(python|pypy|ipython|node|nodejs|bun|deno|tsx|ts-node|ruby|irb|perl|php|lua|luajit|tclsh|r|rscript)[\d.]*$/

function codeAgainstBeckon(call: ProgramCall): boolean | Argument {
  if (!interpreters.test(call.program)) return false
  const { stdin, args, frame } = call
  const code = args.filter(({ value }) => /[\s(]/.test(value))
  if (stdin.text) code.push(literal(stdin.text, frame.span))
  return code.find(({ value }) => concernsBeckon(value)) ?? false
}

function concernsBeckon(code: string): boolean {
  if (!/beckon|\/api\/requests/i.test(code)) return false
  if (/\bbeckon\.db\b|share\/beckon\b|BECKON_(DB|KEY)\b/.test(code)) return true
  if (decisions.test(code.includes('%') ? plainRoute(code) : code))
    return /\b(put|post|fetch|request|urlopen|PUT|POST)\b/.test(code)
  return (
    /\bopenHub\b|['"]beckon(\/[\w-]+)?['"]/.test(code) &&
    /\.(answer|skip|decline|allowByRule|addRule|removeRule|createToken|createLink)\b/.test(code)
  )
}
