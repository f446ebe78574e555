import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

// `npm start` serves the hub with its inbox, and lets a sample program ask its first question.

const beckon = join(import.meta.dirname, '../bin/beckon.js')
const program = join(import.meta.dirname, 'ship-it.ts')
const isTerminal = process.stdin.isTTY && process.stdout.isTTY

const { server, url } = (await serve(process.env.PORT ?? '4141')) ?? (await serve('0')) ?? fail()
process.on('SIGINT', () => server.kill('SIGTERM'))
process.on('SIGTERM', () => server.kill('SIGTERM'))

const asking = spawn(process.execPath, [program], { stdio: ['ignore', 'inherit', 'inherit'] })
server.once('exit', () => asking.kill('SIGTERM'))
await once(asking, 'exit')

if (isTerminal && server.exitCode === null && server.signalCode === null) {
  console.log(`\nThe inbox stays open at ${url}. Ctrl-C ends it.`)
} else server.kill('SIGTERM')

/** The server once it listens; null if it cannot, for example because the port is taken. */
async function serve(port: string): Promise<{ server: ChildProcess; url: string } | null> {
  const server = spawn(process.execPath, [beckon, 'serve', '--port', port], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (port === '0') server.stderr?.pipe(process.stderr)
  // Both are listened for from the start: the address and the link can arrive together.
  const lines = createInterface(server.stdout)
  const address = new Promise<string | null>(resolve => {
    lines.once('line', resolve)
    server.once('exit', () => resolve(null))
  })
  const signIn = new Promise<string | null>(resolve => {
    lines.on('line', line => line.includes('#signin=') && resolve(line))
    server.stderr?.once('data', () => resolve(null))
    server.once('exit', () => resolve(null))
  })
  const url = await address
  if (url === null) return null
  const link = await signIn
  // An agent's shell gets no link, because its holder can answer.
  if (link === null) console.log(`The inbox is at ${url}. To sign in, a person runs: npx beckon token link\n`)
  else console.log(`Your inbox is ready. Open this link; it works once, within 15 minutes:\n\n  ${link}\n`)
  if (link !== null) openInBrowser(link)
  return { server, url }
}

/** Only on a desktop; elsewhere the printed link has to do. */
function openInBrowser(link: string): void {
  const hasDesktop = process.platform === 'darwin' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
  if (!isTerminal || !hasDesktop) return
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open'
  spawn(command, [link], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}

function fail(): never {
  console.error('The inbox could not be started. To find out why, run: npx beckon doctor')
  process.exit(1)
}
