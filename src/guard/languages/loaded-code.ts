import type { Analysis, Frame } from '../interpret/analysis.ts'
import { type Argument, origins } from '../interpret/arguments.ts'
import { reportRemoteCode } from '../interpret/unseen-code.ts'
import { allMatches } from './all-matches.ts'
import type { Skeleton } from './skeleton.ts'

/** Reports exec(urlopen(…).read()), eval(await (await fetch(…)).text()), and a shell on a socket. */
export function checkLoadedCode({ text, strings }: Skeleton, code: Argument, frame: Frame, analysis: Analysis): void {
  const fetches = fetchesCode.test(text) || strings.some(string => /\b(?:curl|wget)\s[^|]*https?:/.test(string))
  const isSocket = /\bsocket\b|TCPSocket|net\.(?:connect|Socket)|fsockopen|IO::Socket|net\.Dial|TcpStream|gen_tcp/.test(
    text,
  )
  const readsNetwork = (frame.stdin.from & origins.network) !== 0 && readsStdin.test(text)
  const includesUrl = allMatches(text, sourcesUrl).some(([, n]) =>
    /^(?:https?|ftp|data):/.test(strings[Number(n)] ?? ''),
  )
  if (
    ((fetches || readsNetwork) && runsCode.test(text)) ||
    (isSocket && shellOnSocket.test(text)) ||
    includesUrl ||
    (savesFile.test(text) && strings.some(isRunAgain))
  ) {
    reportRemoteCode(code, frame, analysis)
  }

  /** A path that a command elsewhere in the code names: `urlretrieve(url, "/tmp/x"); system("sh /tmp/x")`. */
  function isRunAgain(path: string): boolean {
    return (
      /^[./~][\w./-]{2,}$/.test(path) &&
      strings.slice(0, 50).some(one => one !== path && one.includes(path) && /\s/.test(one))
    )
  }
}

const savesFile = /\b(?:urlretrieve|download\.file|Downloads\.download|wget\.download|getstore|downloadFile)\s*\(/

const fetchesCode =
  /\b(?:urlopen|urlretrieve|requests\.(?:get|post)|httpx\.|http\.client|fetch\s*\(|https?\.(?:get|request)|axios|open-uri|URI\.open|Net::HTTP|LWP::|file_get_contents\s*\(|curl_exec|HTTParty|Faraday|Req\.get|HTTPoison|:httpc|download\.file|Downloads\.download|download\s*\(|HTTP\.get|socket\.http|url\.openStream)/
const runsCode =
  /(?<![\w.])(?:exec|eval|compile|load|loadstring|source|include|include_string)\s*\(|new\s+Function|runInThisContext|instance_eval|\b(?:pickle|marshal|dill|cloudpickle|joblib|torch|Marshal|yaml)\.(?:unsafe_)?loads?\b|\bunserialize\s*\(|Code\.eval_string|__import__\([^)]{0,80}\)\.system|\bloadstring\b/
const shellOnSocket = /\b(?:dup2|pty\.spawn|subprocess|child_process|exec|spawn|proc_open|popen|system)\b/
const readsStdin = /\bstdin\b|\bSTDIN\b|\binput\s*\(|php:|\/dev\/stdin|fd\s*0/
/** Loads code by its address: `source("https://…")` in R, `include` in PHP and Julia, `import()` in JavaScript. */
const sourcesUrl =
  /(?<![\w.$])(?:source|include|include_once|require|require_once|import|dofile|devtools::source_url|source_url|importScripts)\s*\(?\s*«(\d+)»/g
