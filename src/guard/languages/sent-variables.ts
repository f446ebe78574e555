import { isSecretVariable, ownershipOf } from '../secret-variables.ts'
import { remoteHost } from '../urls.ts'
import { allMatches } from './all-matches.ts'
import type { Skeleton } from './skeleton.ts'

/** Whether code that talks to another machine reads a secret variable which is not for that machine. */
export function sendsForeignVariable({ text, strings }: Skeleton, source: string): boolean {
  const joined = strings.join('\n')
  if (!talksToMachine.test(text) && !/^(curl|wget|nc|ncat) /m.test(joined)) return false
  const hosts = allMatches(joined, addresses, mostHosts).flatMap(([value]) => remoteHost({ value }))
  if (/\bsocket\b|create_connection|TCPSocket|net\.connect/.test(text))
    hosts.push(...strings.filter(string => /^[\w-]+(\.[\w-]+)+$/.test(string)).flatMap(value => remoteHost({ value })))
  if (hosts.length === 0) return false
  const isCredential = strings.some(string =>
    /^(authorization|bearer |basic |token |x-[\w-]*(key|token))/i.test(string),
  )
  return namesRead(text, source, strings).some(name => {
    if (!isSecretVariable(name)) return false
    const owners = hosts.map(host => ownershipOf(name, host))
    return !owners.includes('own') && (owners.includes('foreign') || !isCredential)
  })
}

const mostHosts = 20

/** The variables that code reads, also within strings: `f"{os.environ['X']}"`, `${process.env.X}`. */
function namesRead(text: string, source: string, strings: readonly string[]): string[] {
  return [
    ...allMatches(text, readsByString).map(([, n]) => strings[Number(n)] ?? ''),
    ...allMatches(source, readsByName).map(([, name = '']) => name),
    ...allMatches(source, readsInString).map(([, name = '']) => name),
    ...(/\{([\w\s,:]{1,400})\}\s*=\s*process\.env\b/.exec(text)?.[1]?.split(/[\s,:]+/) ?? []),
  ]
}

const addresses = /\b(?:https?|wss?|ftp):\/\/[^\s'"]{1,2000}/gi
const talksToMachine =
  /\bfetch\s*\(|\burlopen\b|\burlretrieve\b|\brequests\.|\bhttpx\.|\bhttps?\.(get|request)|\)\.(get|request|post|put)\s*\(|\baxios\b|\bgot\s*\(|Net::HTTP|\bURI\.open|\bURI\(|file_get_contents|curl_|\bLWP|\bHTTP::Tiny|\bsocket\b|XMLHttpRequest|WebSocket|sendBeacon|http\.client|aiohttp|(?<![.\w])get\s*\(/
const readsByString =
  /(?:\benviron(?:\.get)?|\bgetenv|\bENV(?:\.fetch)?|\benv(?:\.get)?|\$_ENV|\$_SERVER)\s*[[({]\s*«(\d+)»/g
const readsByName = /(?:\benv\.|\$ENV\{\s*)([A-Za-z_]\w*)/g
const readsInString = /(?:\benviron(?:\.get)?|\bgetenv|\bENV(?:\.fetch)?|\benv)\s*[[({]\s*['"]([A-Za-z_]\w*)['"]/g
