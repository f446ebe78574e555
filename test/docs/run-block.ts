import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { startModel } from '../adapters/model.ts'
import { launcher } from '../cli/sandbox.ts'
import { clientFolder, python } from '../clients/run-python.ts'
import type { ServedHub } from '../clients/served-hub.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { type Block, type RunSettings, root } from './blocks.ts'
import { startPerson } from './scripted-person.ts'

export interface BlockResult {
  code: number
  stdout: string
  stderr: string
}

export interface Stage {
  served: ServedHub
  /** Has `beckon`, `npx` and `AskUserQuestion`. */
  programs: string
}

/** Where a block runs: one block never takes up what another has asked. */
export interface Place {
  folder: string
  tokens: Record<'ask' | 'answer', string>
}

export async function prepareStage(served: ServedHub): Promise<Stage> {
  const programs = temporaryFolder()
  const node = process.execPath
  install('beckon', `exec '${node}' '${launcher}' "$@"`)
  install('AskUserQuestion', `exec '${node}' '${join(dirname(launcher), 'ask-user-question.js')}' "$@"`)
  // As npx runs it once the package is there.
  install('npx', `[ "$1" = --yes ] && shift; shift; exec beckon "$@"`)
  return { served, programs }

  function install(name: string, script: string) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(programs, name), 0o755)
  }
}

export async function newPlace({ served }: Stage): Promise<Place> {
  return { folder: temporaryFolder(), tokens: { ask: await served.token('ask'), answer: await served.token('answer') } }
}

let count = 0

/** Runs a block in this place, with a person beside it who does what the settings say. */
export async function runBlock(
  stage: Stage,
  { folder, tokens }: Place,
  block: Block,
  settings: RunSettings,
  signal: AbortSignal,
): Promise<BlockResult> {
  const { served, programs } = stage
  const { command, args } = programOf(block, settings)
  const overHttp = settings.token ?? (block.language === 'python' ? 'ask' : null)
  const person = await startPerson(served.hub, settings)
  const model = settings.model ? await startModel(settings.model) : null
  count += 1
  const child = spawn(command, args.map(inThisWorld), {
    cwd: folder,
    env: {
      PATH: `${programs}:${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: folder,
      BECKON_HOME: served.home,
      BECKON_USER: 'ada',
      ...(overHttp ? { BECKON_URL: served.url, BECKON_TOKEN: tokens[overHttp] } : {}),
      PYTHONPATH: clientFolder,
      PYTHONDONTWRITEBYTECODE: '1',
      GITHUB_RUN_ID: String(count),
      GITHUB_REF_NAME: 'main',
      GIT_CONFIG_GLOBAL: '/dev/null',
      ...model?.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // A block that hangs ends with its test, and so does its person.
  signal.addEventListener('abort', () => child.exitCode ?? process.kill(-(child.pid as number), 'SIGKILL'))
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', chunk => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', chunk => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  model?.close()
  await person.leave()
  return { code, stdout, stderr }

  /** The address of the pages is that of this server. */
  function inThisWorld(text: string): string {
    return text.replaceAll('http://127.0.0.1:4141', served.url)
  }
}

function programOf({ language, text, at }: Block, { setup = '', replace = {}, transcript }: RunSettings) {
  let source = text
  for (const [from, to] of Object.entries(replace)) {
    if (!source.includes(from)) throw new Error(`${at} has no ${from}`)
    source = source.replaceAll(from, to)
  }
  if (transcript) source = typed(source)
  if (language === 'sh') return { command: 'bash', args: ['-c', `${setup}\n${source}`] }
  // Each step as GitHub runs it.
  if (language === 'yaml') return { command: 'bash', args: ['-c', stepsOf(source).map(inOwnShell).join(' && ')] }
  if (language === 'python') return { command: python, args: ['-c', withHub(source)] }
  if (language === 'ts') return { command: process.execPath, args: [typescriptFile(source)] }
  throw new Error(`${at}: nothing runs ${language}`)
}

/** What is typed, and shown as a terminal shows it. */
function typed(source: string): string {
  const commands = source.split('\n').filter(line => line.startsWith('$ '))
  return commands.map(line => `printf '%s\\n' ${quoted(line)}\n{ ${line.slice(2)}\n} 2>&1`).join('\n')
}

/** What the screen must look like, where empty lines do not count. */
export function screenOf({ text }: Block): RegExp {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return new RegExp(`^${lines.map(line => escaped(line).replaceAll('…', '.*')).join('\\n+')}\\n+$`)
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The commands of a workflow. */
export function stepsOf(workflow: string): string[] {
  const { jobs = {} } = (parseYaml(workflow) ?? {}) as { jobs?: Record<string, { steps?: { run?: string }[] }> }
  return Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => (run === undefined ? [] : [run])))
}

function inOwnShell(script: string): string {
  return `bash -e -c ${quoted(script)}`
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** A block that continues the page has its hub. */
export function withHub(source: string): string {
  return /^from beckon import .*\bHub\b/m.test(source) ? source : `from beckon import Hub\nhub = Hub()\n${source}`
}

/** Where `beckon` is this package. */
function typescriptFile(source: string): string {
  mkdirSync(join(root, 'dist/.docs'), { recursive: true })
  const file = join(mkdtempSync(join(root, 'dist/.docs/run-')), 'block.ts')
  writeFileSync(file, `${source}\n`)
  return file
}
