import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Hub } from '../../hub/hub.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { AnswerMcp } from '../../server/live/mcp-calls.ts'
import type { Store } from '../../store/store.ts'
import { describeCarrier } from '../../system/agent-context.ts'
import { distFile } from '../../system/programs.ts'
import type { Tracer } from '../../tracing/tracer.ts'
import { agentContext } from '../agent-context.ts'
import type { Context } from '../context.ts'
import { readDuration } from '../durations.ts'
import { interruption } from '../interruption.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { repeatable } from '../repeatable.ts'
import { createRestorer } from '../restore/restorer.ts'
import { keepTidy } from '../serve/keep.ts'
import { addLimitOptions, type LimitOptions, readLimits } from '../serve/limits.ts'
import { startSending } from '../serve/notify.ts'
import { printPhoneCode } from '../serve/phone-code.ts'
import { announceServer } from '../serve/running-servers.ts'
import { withStore } from '../with-hub.ts'

interface ServeOptions extends LimitOptions {
  host: string
  port: number
  publicUrl?: string
  allowHost: string[]
  callbackHost?: string[]
  trustedProxy: string[]
  tlsCert?: string
  tlsKey?: string
  keep?: string
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  link: boolean
}

export function registerServe(program: Command, context: Context): void {
  const command = program
    .command('serve')
    .summary('Serve the hub over HTTP, with an inbox for the browser')
    .description('Serves the hub of this machine: the inbox for the browser, the HTTP API and the stream of events.')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <number>', 'the port; 0 picks a free one', readPort, 4141)
    .option('--public-url <url>', 'the address that others reach it under, such as https://example.com/beckon')
    .option('--allow-host <name>', 'another host name to accept (repeatable)', repeatable, [])
    .option(
      '--callback-host <host>',
      'a host that askers may be called at (repeatable); BECKON_CALLBACK_HOSTS',
      repeatable,
    )
    .option(
      '--trusted-proxy <address>',
      'a proxy, or a network of them, whose X-Forwarded-For is believed (repeatable)',
      repeatable,
      [],
    )
    .option('--tls-cert <file>', 'serve HTTPS with this certificate (PEM)')
    .option('--tls-key <file>', 'the key of the certificate (PEM)')
    .option('--keep <duration>', 'delete requests, events and runs older than this, such as 90d, once an hour')
    .addOption(
      new Option('--log-level <level>', 'what to log on stderr, one line of JSON each')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('warn'),
    )
    .option('--no-link', 'do not print a sign-in link')
  addLimitOptions(command)
    .addHelpText('after', help)
    .action(async (options: ServeOptions) => {
      context.exitCode = await serveHub(context, options)
    })
}

/** The SDK takes time to load: a server starts without it. */
const answerMcp: AnswerMcp = async call => (await loadMcp())(call)

let mcp: Promise<AnswerMcp> | null = null
function loadMcp(): Promise<AnswerMcp> {
  mcp ??= import('../../mcp/http.ts').then(({ createHttpDoor }) => createHttpDoor(packageJson.version))
  return mcp
}

async function serveHub(given: Context, options: ServeOptions): Promise<number> {
  const context = await withCallbackHosts(given, options.callbackHost)
  const { readPublicUrl, refuseOpenHost } = await import('../../server/access/addresses.ts')
  const { createLog } = await import('../../server/log.ts')
  const { serve } = await import('../../server/serve.ts')
  const { keepHeapSmall } = await import('../../server/small-heap.ts')
  const { createLocalRunLogs } = await import('../../supervisor/log/local-run-logs.ts')
  const { watchRuns } = await import('../../supervisor/recovery/wake-sleepers.ts')
  const { storeUpload } = await import('../../supervisor/upload.ts')
  const { homeOf } = await import('../../system/home.ts')
  const publicUrl = options.publicUrl === undefined ? null : readPublicUrl(options.publicUrl, '--public-url')
  refuseOpenHost(options.host, publicUrl)
  const names = options.allowHost.map(readHost)
  const limits = await readLimits(options, context.env)
  const age = options.keep === undefined ? null : await readDuration(options.keep, '--keep')
  keepHeapSmall()
  const interrupted = interruption()
  const log = createLog(options.logLevel)
  const home = homeOf(context.env)
  const onTracingProblem = (problem: string) => log.warn({}, problem)
  const work = async (hub: Hub, store: Store, _: unknown, tracer: Tracer | null) => {
    await refuseIfUnwritable(store)
    const { startAnswering } = await import('../serve/chat.ts')
    const chats = startAnswering(hub, log)
    const served = await serve({
      hub,
      log,
      limits,
      version: packageJson.version,
      host: options.host,
      port: options.port,
      publicUrl,
      names,
      trustedProxies: options.trustedProxy,
      tls: readTls(options),
      web: webFolder(),
      mcp: answerMcp,
      runLogs: createLocalRunLogs(home),
      saveUpload: (request, file) => storeUpload(home, hub, request, file),
      restorer: createRestorer(hub),
      answerCallback: chats.answerCallback,
      tracer,
    })
    const { BECKON_CALLBACK_HOSTS: callbackHosts = '' } = context.env
    const withdraw = await announceServer(context, { url: served.url, limits, callbackHosts }).catch(error => {
      log.warn({ error }, 'beckon token link will not find this server: its address could not be written down')
      return () => {}
    })
    await print(context.stdout, `${served.url}\n`)
    if (options.link) await printLink(context, await served.signInLink({ name: hub.user, scope: 'admin' }))
    if (options.link && isAtTerminal(context)) await printPhoneCode(context, await served.phoneLink(hub.user))
    const sender = await startSending({ hub, served, log, env: context.env, tracer, prepareChat: chats.prepareChat })
    const ended = AbortSignal.any([interrupted.signal, store.lost])
    const watching = watchRuns(hub, context.env, ended)
    const tidying = age === null ? null : keepTidy({ store, home, age, log, signal: ended })
    // A signal may have come while it started.
    if (!ended.aborted) await once(ended, 'abort')
    withdraw()
    await served.close()
    store.stopReconnecting()
    await Promise.all([sender.close(), chats.close(), watching, tidying])
    store.lost.throwIfAborted()
    return exitCodes.fine
  }
  return withStore(context, work, { onTracingProblem }).finally(interrupted.release)
}

/** The hub and the sender read the list from the environment, so that commands without a server can have one too. */
async function withCallbackHosts(context: Context, hosts: string[] | undefined): Promise<Context> {
  const { readAllowedHosts } = await import('../../notify/callbacks/allowed-hosts.ts')
  const entries = hosts ?? (context.env.BECKON_CALLBACK_HOSTS ?? '').split(',')
  readAllowedHosts(entries, hosts ? '--callback-host' : 'BECKON_CALLBACK_HOSTS')
  return { ...context, env: { ...context.env, BECKON_CALLBACK_HOSTS: entries.join(',') } }
}

/** A database on a full or read-only disk can be opened to read, which is not enough for a server. */
async function refuseIfUnwritable(store: Store): Promise<void> {
  await store.change(async () => {})
}

/** The link lets its holder answer, so an agent that starts a server does not get it. */
async function printLink(context: Context, link: string): Promise<void> {
  const { carrier } = agentContext(context)
  const text = carrier
    ? `No sign-in link: this shell belongs to an agent (${describeCarrier(carrier)}). A person gets one with: beckon token link\n`
    : `To sign in (one browser, within 15 minutes):\n${link}\n`
  await print(carrier ? context.stderr : context.stdout, text)
}

/** Only on a person's screen: what is logged or read by an agent must not sign anybody in. */
function isAtTerminal(context: Context): boolean {
  return context.isTerminal && context.stdout.isTTY === true && agentContext(context).carrier === null
}

function readTls({ tlsCert, tlsKey }: ServeOptions) {
  if (tlsCert === undefined && tlsKey === undefined) return null
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new BeckonError('invalid', '--tls-cert and --tls-key go together; give both.')
  }
  return { cert: readPem(tlsCert, '--tls-cert'), key: readPem(tlsKey, '--tls-key') }
}

function readPem(file: string, flag: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new BeckonError('invalid', `${flag}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function readHost(given: string): string {
  // An IPv6 address, which may stand without brackets here.
  const name = URL.canParse(`http://[${given}]`) ? `[${given}]` : given
  if (URL.canParse(`http://${name}`)) return name
  throw new BeckonError('invalid', `--allow-host must be a host name; it is "${given}".`)
}

function webFolder(): string | null {
  const folder = distFile('web')
  return existsSync(folder) ? folder : null
}

function readPort(source: string): number {
  const port = Number(source)
  if (/^\d+$/.test(source) && port <= 65_535) return port
  throw new InvalidArgumentError('Give a number up to 65535.')
}

const help = `
It prints its address, and then a link that signs in one browser. For other people and agents: beckon token create.
A server that the network can reach needs --public-url, and should use HTTPS: --tls-cert and --tls-key, or a proxy.
With --keep it does by itself what beckon gc does; of several servers with one PostgreSQL database, one at a time does it.

Examples:
  beckon serve
  beckon serve --host 0.0.0.0 --public-url https://beckon.example.com
  BECKON_URL=http://127.0.0.1:4141 BECKON_TOKEN=… beckon ask "Ship it?" --option yes --option no`
