import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../setup/databases.ts'
import type { Certificate } from './receiver.ts'

let made: (Certificate & { file: string }) | null = null

/** A certificate of this machine for `localhost`, 127.0.0.1 and a name in the test domain; made once for a file of tests. */
export function certificate(): Certificate & { file: string } {
  if (made) return made
  const folder = temporaryFolder()
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const names = 'subjectAltName=DNS:localhost,DNS:hooks.example.test,IP:127.0.0.1'
  const how = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const what = ['-subj', '/CN=localhost', '-addext', names]
  execFileSync('openssl', ['req', '-x509', ...how, ...what, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  made = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8'), file: cert }
  return made
}
