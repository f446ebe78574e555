import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
export const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel', 'error']

/** The tarball that `npm publish` would send: builds, and makes the links of the README absolute. */
export function pack(folder: string): string {
  return npmPack(folder, [])
}

/** The same with what is built already, and the README as it is. */
export function packBuilt(folder: string): string {
  return npmPack(folder, ['--ignore-scripts'])
}

function npmPack(folder: string, options: string[]): string {
  run(['npm', 'pack', '--silent', '--pack-destination', folder, ...options], root)
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return join(folder, `${name}-${version}.tgz`)
}

/** An empty folder in which a runtime of npm is the first on PATH. */
export function emptyFolder(
  parent: string,
  name: string,
  packages: string[],
): { folder: string; env: NodeJS.ProcessEnv } {
  const runtime = join(parent, `runtime-${name}`)
  mkdirSync(runtime, { recursive: true })
  writeFileSync(join(runtime, 'package.json'), '{}')
  run(['npm', 'install', ...quiet, ...packages], runtime)
  const folder = join(parent, name)
  mkdirSync(folder)
  const home = join(parent, `home-${name}`)
  const PATH = `${join(runtime, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`
  return { folder, env: { ...process.env, PATH, BECKON_HOME: home, BECKON_USER: 'person' } }
}

/** What a command prints; throws with its errors if it fails. */
export function run(command: readonly string[], cwd: string, env = process.env): string {
  const [program = '', ...args] = command
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8', timeout: 3_600_000 })
  if (status !== 0) throw new Error(`${command.join(' ')}: exit code ${status}\n${stdout}${stderr}${error ?? ''}`)
  return stdout
}
