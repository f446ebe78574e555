import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { emptyFolder, pack, quiet, run } from './pack.ts'
import { block, quickstart } from './quickstart.ts'
import { addPeers, typeErrors } from './types.ts'

// The package as people get it: docs/install.md, done in an empty folder with the tarball of `npm pack`, on each Node that
// we support; the client on Bun and Deno. Words on the command line choose among the runtimes: npm run test:tarball -- bun
const root = join(import.meta.dirname, '../..')
const node = `node-${process.platform}-${process.arch}`
const nodes = { 'node-22.14': '22.14.0', 'node-24': '24', 'node-26': '26' }
const runtimes = { bun: 'bun run', deno: 'deno run --allow-all' }
const parent = mkdtempSync(join(tmpdir(), 'beckon-tarball-'))
const chosen = (name: string) => process.argv.length < 3 || process.argv.includes(name)

try {
  const tarball = pack(parent)
  for (const [name, version] of Object.entries(nodes).filter(([name]) => chosen(name))) {
    const place = emptyFolder(parent, name, [`node@npm:${node}@${version}`])
    report(name, await quickstart(place, tarball))
    linksToTheRepository(place.folder)
    await worksBundled(place.folder, place.env)
    addPeers(place.folder)
    for (const module of ['bundler', 'node16'] as const) assert.deepEqual(await typeErrors(place.folder, module), [])
  }
  for (const [name, command] of Object.entries(runtimes).filter(([name]) => chosen(name))) {
    const place = emptyFolder(parent, name, [`${name}@latest`, `node@npm:${node}@24`])
    run(['npm', 'install', ...quiet, tarball], place.folder, place.env)
    await asksByTheClient(place.folder, place.env, command)
    console.log(`${name}: the client asked and got its answer.`)
  }
} finally {
  rmSync(parent, { recursive: true, force: true })
}

/** npm shows this README outside the repository. */
function linksToTheRepository(folder: string): void {
  const readme = readFileSync(join(folder, 'node_modules/beckon/README.md'), 'utf8')
  assert.doesNotMatch(readme, /\]\((?!https:|#)|src(set)?="(?!https:)/)
  assert.match(readme, /\(https:\/\/github\.com\/\S+\/docs\/web\.md\)/)
}

/** The program of the page, bundled with the options of the page, still asks. */
async function worksBundled(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const external =
    block('bundle')
      .match(/--external:\S+/g)
      ?.map(option => option.replace('--external:', '')) ?? []
  const program =
    "import { openHub } from 'beckon'\nconst hub = await openHub()\nconsole.log((await hub.list()).requests.length)\nawait hub.close()\n"
  writeFileSync(join(folder, 'count.mjs'), program)
  await build({
    ...{ absWorkingDir: folder, entryPoints: ['count.mjs'], outfile: 'bundled.mjs', logLevel: 'error' },
    ...{ bundle: true, platform: 'node', format: 'esm', external },
  })
  assert.equal(run(['node', 'bundled.mjs'], folder, env).trim(), '0')
}

/** A server on Node, and a program on another runtime that asks it. */
async function asksByTheClient(folder: string, env: NodeJS.ProcessEnv, command: string): Promise<void> {
  // Without npx in between, which would not pass on the signal.
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const server = spawn('node_modules/.bin/beckon', ['serve', '--port', '0'], { cwd: folder, env, stdio: [...stdio] })
  try {
    const [line] = await once(createInterface(server.stdout), 'line')
    const [url = ''] = /http:\S+/.exec(line) ?? []
    const { secret } = JSON.parse(run(['npx', 'beckon', 'token', 'create', '--scope', 'ask', '--json'], folder, env))
    copyFileSync(join(import.meta.dirname, 'programs/ask.mjs'), join(folder, 'ask.mjs'))
    const asking = spawn('sh', ['-c', `${command} ask.mjs`], {
      ...{ cwd: folder, stdio: [...stdio] },
      env: { ...env, HUB: url, TOKEN: secret },
    })
    const lines = createInterface(asking.stdout)[Symbol.asyncIterator]()
    const { value: id } = await lines.next()
    assert.ok(id, `${command} did not ask`)
    run(['npx', 'beckon', 'answer', id, 'yes'], folder, env)
    assert.equal((await lines.next()).value, 'yes')
  } finally {
    server.kill('SIGTERM')
    if (server.exitCode === null) await once(server, 'exit')
  }
}

function report(name: string, seconds: Record<string, number>): void {
  const steps = Object.entries(seconds).map(([step, time]) => `${step} ${time.toFixed(1)} s`)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  console.log(`${name}, beckon ${version}: ${steps.join(', ')}`)
}
