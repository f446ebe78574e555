import { isSecretVariable, ownershipOf } from '../secret-variables.ts'
import { remoteHost } from '../urls.ts'
import type { Skeleton } from './skeleton.ts'

/** Whether code that talks to another machine reads a secret variable which is not for that machine. */
export function sendsForeignVariable({ text, strings }: Skeleton): boolean {
  if (!talksToMachine.test(text)) return false
  const hosts = strings.flatMap(value => (/^(https?|wss?|ftp):\/\//i.test(value) ? remoteHost({ value }) : []))
  if (hosts.length === 0) return false
  const isCredential = strings.some(string =>
    /^(authorization|bearer |basic |token |x-[\w-]*(key|token))/i.test(string),
  )
  for (const match of text.matchAll(readsVariable)) {
    const name = match[1] === undefined ? (match[2] ?? '') : (strings[Number(match[1])] ?? '')
    if (!isSecretVariable(name)) continue
    const owners = hosts.map(host => ownershipOf(name, host))
    if (owners.includes('own')) continue
    if (owners.includes('foreign') || !isCredential) return true
  }
  return false
}

const talksToMachine =
  /\bfetch\s*\(|\burlopen\b|\burlretrieve\b|\brequests\.|\bhttpx\.|\bhttps?\.(get|request)|\baxios\b|\bgot\s*\(|Net::HTTP|\bURI\.open|\bURI\(|file_get_contents|curl_|\bLWP|\bHTTP::Tiny|\bsocket\b|XMLHttpRequest|WebSocket|sendBeacon|http\.client|aiohttp|(?<![.\w])get\s*\(/
const readsVariable =
  /(?:\benviron(?:\.get)?|\bgetenv|\bENV(?:\.fetch)?|\benv(?:\.get)?|\$_ENV|\$_SERVER)\s*[[({]\s*«(\d+)»|(?:\benv\.|\$ENV\{\s*)([A-Za-z_]\w*)/g
