import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

// The examples of deploy/, run as they are by Debian's packages, with real certificates. Only addresses are replaced.

export const deploy = join(import.meta.dirname, '../../deploy')

export interface RunningProxy {
  pid: number
  stop(): Promise<void>
}

interface ProxyOptions {
  /** An empty folder for what it writes. */
  folder: string
  port: number
  nodes: readonly number[]
}

/** Caddy with a file of deploy/. It makes its own certificate for localhost, as it does for a developer. */
export async function startCaddy(file: string, { folder, port, nodes }: ProxyOptions): Promise<RunningProxy> {
  mkdirSync(folder, { recursive: true })
  const config = join(folder, 'Caddyfile')
  const settings = ['admin off', 'auto_https disable_redirects', 'skip_install_trust', `storage file_system ${folder}`]
  writeFileSync(config, `{\n\t${settings.join('\n\t')}\n}\nimport ${join(deploy, file)}\n`)
  const child = spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
      BECKON_SITE: `https://localhost:${port}`,
      BECKON_NODES: nodes.map(node => `127.0.0.1:${node}`).join(' '),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return untilItListens(child, port, () => readFileSync(join(folder, 'pki/authorities/local/root.crt'), 'utf8'))
}

/** nginx with a file of deploy/ and a certificate for localhost. */
export async function startNginx(file: string, { folder, port, nodes }: ProxyOptions): Promise<RunningProxy> {
  mkdirSync(folder, { recursive: true })
  const certificate = makeCertificate(folder)
  const site = replaceAll(readFileSync(join(deploy, file), 'utf8'), [
    [/listen 443 /g, `listen 127.0.0.1:${port} `],
    [/server_name [\w.]+;/g, 'server_name localhost;'],
    [/\/etc\/ssl\/beckon/g, folder],
    [
      /server 127\.0\.0\.1:4141( [^;]*)?;/g,
      (_, more = '') => nodes.map(node => `server 127.0.0.1:${node}${more};`).join('\n'),
    ],
  ]).replaceAll('listen 80;', `listen unix:${join(folder, 'http.sock')};`)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = paths.map(path => `${path}_temp_path ${join(folder, path)};`).join('\n')
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; pid ${join(folder, 'pid')}; error_log stderr error; ${isRoot ? 'user root;' : ''}
events { worker_connections 4096; }
http { access_log off; ${temporary}
${site} }
`,
  )
  const child = spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  return untilItListens(child, port, () => certificate)
}

const isRoot = process.getuid?.() === 0

/** A file of ours must contain everything that is replaced in it: else the example would not be what is tested. */
function replaceAll(text: string, parts: [RegExp, string | ((...match: string[]) => string)][]): string {
  return parts.reduce((result, [pattern, by]) => {
    if (result.search(pattern) < 0) throw new Error(`The example has no ${pattern}.`)
    return result.replaceAll(pattern, by as string)
  }, text)
}

function makeCertificate(folder: string): string {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', cert, ...names], { stdio: 'ignore' })
  return readFileSync(cert, 'utf8')
}

/** From then on, this process trusts its certificate, too: `fetch` as well as `https`. */
async function untilItListens(child: ChildProcess, port: number, authority: () => string): Promise<RunningProxy> {
  let said = ''
  child.stderr?.on('data', bytes => {
    said = (said + bytes).slice(-4_000)
  })
  const ended = once(child, 'exit')
  for (let tries = 0; ; tries += 1) {
    if (child.exitCode !== null || tries > 600) throw new Error(`The proxy did not start: ${said}`)
    if (await replies(port)) break
    await sleep(50)
  }
  setDefaultCACertificates([...getCACertificates('default'), authority()])
  return { pid: child.pid as number, stop }

  async function stop() {
    child.kill('SIGTERM')
    // Open streams would keep Caddy.
    const killing = setTimeout(() => child.kill('SIGKILL'), 2_000)
    await ended
    clearTimeout(killing)
  }
}

/** Whether something speaks TLS there, whatever it replies. */
function replies(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const call = request({ host: 'localhost', port, path: '/', rejectUnauthorized: false, agent: false }, response => {
      response.resume()
      resolve(true)
    })
    call.on('error', () => resolve(false))
    call.end()
  })
}

export function findPrograms(...names: string[]): void {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin']
  const missing = names.filter(name => !folders.some(folder => existsSync(join(folder, name))))
  if (missing.length > 0)
    throw new Error(`These tests need ${missing.join(' and ')}: apt-get install caddy nginx-light`)
}
