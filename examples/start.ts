import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

// What `npm start` does: serves the hub with its inbox, and lets a program ask its first question there.

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

/** The server once it listens; null where it could not, for example because the port is taken. */
async function serve(port: string): Promise<{ server: ChildProcess; url: string } | null> {
  const server = spawn(process.execPath, [beckon, 'serve', '--port', port], {
    stdio: ['ignore', 'pipe', port === '0' ? 'inherit' : 'ignore'],
  })
  const lines = createInterface(server.stdout)
  const url = await new Promise<string | null>(resolve => {
    lines.once('line', resolve)
    server.once('exit', () => resolve(null))
  })
  if (url === null) return null
  console.log(`The inbox is at ${url}`)
  lines.on('line', line => {
    console.log(line)
    if (line.includes('#signin=')) openInBrowser(line)
  })
  return { server, url }
}

/** Where there is a desktop; elsewhere the link is on the screen. */
function openInBrowser(link: string): void {
  const hasDesktop = process.platform === 'darwin' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
  if (!isTerminal || !hasDesktop) return
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open'
  spawn(command, [link], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}

function fail(): never {
  console.error('The inbox could not be started. npx beckon doctor may know why.')
  process.exit(1)
}
