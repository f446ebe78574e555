import type { Analysis } from '../interpret/analysis.ts'
import { type Argument, texts } from '../interpret/arguments.ts'
import { parseArgs } from '../parse-args.ts'
import { absolute } from '../paths.ts'
import type { ProgramCall } from '../program-call.ts'
import { list } from '../word-list.ts'
import { runCodeFile } from './code-files.ts'
import type { LookedFile } from './looked-files.ts'
import { readManifest } from './manifest.ts'
import { fileIn, nearestFile, parentOf } from './nearest-file.ts'
import { runText } from './run-text.ts'

const folderOptions = ['--prefix', '-C', '--dir', '--cwd']
const workspaceOptions = ['-w', '--workspace', '--filter', '-F']

/** npm run build: the script of package.json, with those before and after it. */
export function runPackageManager(call: ProgramCall, analysis: Analysis): void {
  const { options, operands, positions } = parseArgs(call.args, {
    values: [...folderOptions, ...workspaceOptions, '--loglevel', '--script-shell'],
  })
  const given = options.findLast(({ name, value }) => value && folderOptions.includes(name))?.value
  const folder = given ? absolute(given.value, call.cwd) : call.cwd
  if (folder === null) return
  const isYarn = call.program === 'yarn' && operands[0]?.value === 'workspace'
  const packages = options.flatMap(({ name, value }) => (value && workspaceOptions.includes(name) ? [value] : []))
  const named = isYarn ? operands.slice(1, 2) : packages
  const rest = isYarn ? { operands: operands.slice(2), positions: positions.slice(2) } : { operands, positions }
  const manifests =
    named.length > 0
      ? named.map(({ value }) => fileIn(folder, packageFiles(value), call.frame, analysis))
      : [nearestFile(folder, ['package.json'], call.frame, analysis)]
  for (const manifest of manifests) if (manifest) runScripts(manifest, call, rest, analysis)
}

/** A package of the workspace, by its folder or by its name, if its folder has the name and is in a usual place. */
function packageFiles(name: string): string[] {
  const bare = name.replace(/^@[^/]*\//, '')
  return [name, `packages/${bare}`, `apps/${bare}`, bare].map(folder => `${folder}/package.json`)
}

function runScripts(
  manifest: LookedFile,
  call: ProgramCall,
  { operands, positions }: Pick<ReturnType<typeof parseArgs>, 'operands' | 'positions'>,
  analysis: Analysis,
): void {
  const [command, second] = operands
  const isRun = runCommands.has(command?.value ?? '')
  const name = isRun ? second : command
  const { scripts, spanOf } = readManifest(manifest, 'scripts')
  const rest = call.args.slice((positions[isRun ? 1 : 0] ?? call.args.length) + 1)
  const isScript = name && scripts.has(name.value) && (isRun || !ownCommands.has(name.value))
  const names = isScript || (isRun && name) ? around(name.value) : lifecycleOf(call.program, command)
  for (const one of names) {
    const script = scripts.get(one)
    if (script === undefined) continue
    const text = one === name?.value ? withArguments(script, rest) : script
    runText({ file: manifest, text, span: spanOf(one), part: one, cwd: parentOf(manifest.path) }, call, analysis)
  }
  // Bun runs files, too.
  if (call.program === 'bun' && name && !isScript && /[/.]/.test(name.value))
    runCodeFile('javascript', name, call, analysis)
}

const runCommands = new Set(list('run run-script rum urn'))
const ownCommands = new Set(
  list(
    'add install i ci remove rm update up upgrade publish link unlink audit list ls why outdated config pack exec x dlx create init version',
  ),
)

function around(name: string): string[] {
  return [`pre${name}`, name, `post${name}`]
}

/** The scripts that a command of the package manager itself runs in the project. */
function lifecycleOf(program: string, command: Argument | undefined): string[] {
  const value = command?.value ?? (program === 'yarn' ? 'install' : '')
  if (/^(t|tst)$/.test(value)) return around('test')
  if (/^(i|in|ins|inst|install|ci|clean-install|it|install-test|cit)$/.test(value))
    return ['preinstall', 'install', 'postinstall', 'prepublish', ...around('prepare')]
  if (value === 'pack') return ['prepack', 'prepare', 'postpack']
  if (value === 'publish') return ['prepublishOnly', 'prepack', 'prepare', 'postpack', 'publish', 'postpublish']
  return value === 'version' ? around('version') : []
}

/** npm hands on what follows `--`. */
function withArguments(script: string, rest: readonly Argument[]): string {
  const words = texts(rest[0]?.value === '--' ? rest.slice(1) : rest)
  return [script, ...words.map(word => `'${word.replaceAll("'", `'\\''`)}'`)].join(' ')
}

/** deno task x, deno run x.ts */
export function runDeno(call: ProgramCall, analysis: Analysis): void {
  const { operands } = parseArgs(call.args, { values: list('-c --config --cwd --import-map') })
  const [command, name] = operands
  if (!name || call.cwd === null) return
  if (command?.value === 'run') runCodeFile('javascript', name, call, analysis)
  if (command?.value !== 'task') return
  const manifest = nearestFile(call.cwd, ['deno.json', 'deno.jsonc', 'package.json'], call.frame, analysis)
  if (!manifest) return
  const { scripts, spanOf } = readManifest(manifest, manifest.path.endsWith('package.json') ? 'scripts' : 'tasks')
  const text = scripts.get(name.value)
  const cwd = parentOf(manifest.path)
  if (text !== undefined)
    runText({ file: manifest, text, span: spanOf(name.value), part: name.value, cwd }, call, analysis)
}

/** composer run-script x, composer x */
export function runComposer(call: ProgramCall, analysis: Analysis): void {
  const { operands } = parseArgs(call.args, { values: ['-d', '--working-dir'] })
  const [command, second] = operands
  const name = command && /^run(-script)?$/.test(command.value) ? second : command
  const manifest = name && call.cwd !== null ? nearestFile(call.cwd, ['composer.json'], call.frame, analysis) : null
  if (!manifest || !name) return
  const { scripts, spanOf } = readManifest(manifest, 'scripts')
  const text = scripts.get(name.value)
  const cwd = parentOf(manifest.path)
  if (text !== undefined)
    runText({ file: manifest, text, span: spanOf(name.value), part: name.value, cwd }, call, analysis)
}
