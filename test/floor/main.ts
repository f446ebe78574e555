import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packBuilt } from '../tarball/pack.ts'

// The oldest Node that package.json allows does the main work, with the package as `npm pack` makes it; the newest one below
// it is refused in a sentence, by the commands and by the library. Both are real Nodes from npm, in a temporary folder.
const root = join(import.meta.dirname, '../..')
const floor = `${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '')}.0`
const below = '22.13.1'
const sentence = `needs Node 22.14 or newer; this is v${below}. Install a newer Node (https://nodejs.org) and try again.`
const folder = mkdtempSync(join(tmpdir(), 'beckon-floor-'))

try {
  install()
  worksOnTheFloor()
  isRefusedBelow('beckon', [join(root, 'bin/beckon.js'), 'list'])
  isRefusedBelow('AskUserQuestion', [join(root, 'bin/ask-user-question.js'), '{}'])
  for (const entry of ['index.js', 'agent/index.js']) {
    isRefusedBelow('beckon', [
      '--eval',
      `import('${root}/dist/${entry}').catch(e => { console.error(e.message); process.exit(1) })`,
    ])
  }
  console.log(`Node ${floor} does the main work; Node ${below} is refused in a sentence.`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function install() {
  const build = `node-${process.platform}-${process.arch}`
  const packages = [`floor@npm:${build}@${floor}`, `below@npm:${build}@${below}`, packBuilt(folder)]
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--prefix', folder]
  const { status } = spawnSync('npm', ['install', ...flags, ...packages], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('npm could not install the package and two Nodes')
}

function worksOnTheFloor() {
  const smoke = join(folder, 'smoke.mjs')
  copyFileSync(join(import.meta.dirname, 'processes/smoke.mjs'), smoke)
  const { status } = spawnSync(node('floor'), [smoke], { stdio: 'inherit', timeout: 120_000 })
  if (status !== 0) throw new Error(`the main work does not work on Node ${floor}`)
}

function isRefusedBelow(name: string, args: string[]) {
  const { status, stderr } = spawnSync(node('below'), args, { encoding: 'utf8' })
  if (status !== 1 || stderr.trim() !== `${name} ${sentence}`) {
    throw new Error(`Node ${below} with ${args.join(' ')}: exit code ${status}, ${stderr}`)
  }
}

function node(name: 'floor' | 'below') {
  return join(folder, 'node_modules', name, 'bin/node')
}
