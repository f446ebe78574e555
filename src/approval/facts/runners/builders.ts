import { existsSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { isFile } from '../read-file.ts'
import { type Bound, type Call, operandsOf, type Runner, valuesOf } from './runner.ts'

/** make reads the first of its default files, unless it is told which. */
export const runMake: Runner = ({ program, args, cwd }, bound) => {
  const folder = resolve(cwd, ...valuesOf(args, '-C', '--directory'))
  const given = valuesOf(args, '-f', '--file', '--makefile')
  const found = ['GNUmakefile', 'makefile', 'Makefile'].find(name => existsSync(join(folder, name)))
  for (const file of given.length > 0 ? given : [found ?? 'Makefile']) bound.code(resolve(folder, file), 'make')
  bound.unbound(`${program} runs its recipes: what they start is bound only where a makefile names it.`)
}

const ownCommands =
  /^(run|run-script|rum|test|t|tst|start|stop|restart|exec|x|dlx|install|i|ci|add|update|up|upgrade|rebuild|publish|pack|version|link|dedupe|audit|prune|install-test|it|remove|uninstall|rm)$/

/** npm run build: the script of package.json with those before and after it. */
export const runPackageManager: Runner = (call, bound) => {
  const { program, args, cwd } = call
  const folder = resolve(cwd, ...valuesOf(args, '--prefix', '-C', '--dir', '--cwd'))
  const operands = operandsOf(args, ['--prefix', '-C', '--dir', '--cwd', '-w', '--workspace', '--filter', '-F'])
  const [command = 'install', name] = operands
  const manifest = nearestFile(folder, ['package.json'])
  if (manifest === null) return
  const scripts = scriptsOf(bound.code(manifest, 'other'))
  const home = dirname(manifest)
  for (const settings of ['.npmrc', '.yarnrc.yml', '.yarnrc', 'bunfig.toml', 'pnpm-workspace.yaml'])
    bound.data(join(home, settings))
  const own = ownCommands.test(command)
  if (own && /^(exec|x|dlx)$/.test(command))
    return runPackageBinary({ ...call, args: args.slice(args.indexOf(command) + 1) }, bound)
  if (own && !/^(run|run-script|rum|test|t|tst|start|stop|restart)$/.test(command)) {
    for (const lock of ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'])
      bound.data(join(home, lock))
    return bound.unbound(`${program} ${command} runs the install scripts of packages, which are not bound.`)
  }
  const script = !own ? command : /^run|^rum/.test(command) ? name : /^t/.test(command) ? 'test' : command
  if (script === undefined) return
  runPackageScripts(script, scripts, home, call, bound)
  if (args.some(arg => /^(-w|--workspaces?|--filter|-F|-r|--recursive)(=|$)/.test(arg)))
    bound.unbound(`${program} ${command} runs scripts of other packages in the workspace, which are not bound.`)
}

function runPackageScripts(
  script: string,
  scripts: Record<string, string>,
  home: string,
  { program, env }: Call,
  bound: Bound,
): void {
  const path = [join(home, 'node_modules', '.bin'), env.PATH ?? ''].join(delimiter)
  const known = [`pre${script}`, script, `post${script}`].flatMap(one => scripts[one] ?? [])
  for (const source of known) bound.shell(source, home, { ...env, PATH: path })
  bound.unbound(
    known.length > 0
      ? `${program} runs the script "${script}" of package.json: what its programs load is not all bound.`
      : `${program} ${script} is not a script of package.json: what it runs is not bound.`,
  )
}

function scriptsOf(manifest: string | null): Record<string, string> {
  try {
    const { scripts } = JSON.parse(manifest ?? '{}') as { scripts?: Record<string, unknown> }
    return Object.fromEntries(
      Object.entries(scripts ?? {}).filter((one): one is [string, string] => typeof one[1] === 'string'),
    )
  } catch {
    return {}
  }
}

/** npx x: the package of the project, or one that is downloaded. */
export const runPackageBinary: Runner = ({ program, args, cwd }, bound) => {
  const [name] = operandsOf(args, ['-p', '--package', '-c', '--call'])
  if (name === undefined || name === '') return
  const manifest = nearestFile(cwd, [join('node_modules', '.bin', name)])
  if (manifest !== null) bound.code(manifest, 'javascript')
  bound.unbound(
    manifest === null
      ? `${program} ${name} runs a package that may be downloaded; its code is not bound.`
      : `${program} ${name} loads the files of its package, which are not bound.`,
  )
}

export const runCompose: Runner = ({ args, cwd }, bound) => {
  const folder = resolve(cwd, ...valuesOf(args, '--project-directory'))
  const given = valuesOf(args, '-f', '--file')
  const names = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']
  const overrides = names.map(name => name.replace('.', '.override.'))
  if (given.length > 0) for (const file of given) bound.code(resolve(cwd, file), 'other')
  else {
    const found = nearestFile(folder, names)
    if (found !== null) bound.code(found, 'other')
    for (const name of overrides) bound.data(join(found === null ? folder : dirname(found), name))
  }
  bound.data(join(folder, '.env'))
  if (/\b(up|build|run|watch)\b/.test(args.join(' ')))
    bound.unbound('docker compose uses images and folders that are not bound.')
}

/** docker build reads a whole folder; docker compose has files of its own. */
export const runDocker: Runner = (call, bound) => {
  const { program, args, cwd } = call
  const operands = operandsOf(args, ['-H', '--host', '-c', '--context', '--config', '-l', '--log-level'])
  if (operands[0] === 'compose') return runCompose({ ...call, args: args.slice(args.indexOf('compose') + 1) }, bound)
  const builds =
    operands[0] === 'build' || (/^(buildx|image|builder)$/.test(operands[0] ?? '') && operands.includes('build'))
  if (!builds) return
  const after = args.slice(args.indexOf('build') + 1)
  const folder =
    operandsOf(after, [
      '-f',
      '--file',
      '-t',
      '--tag',
      '--build-arg',
      '--target',
      '--platform',
      '--label',
      '--secret',
      '--ssh',
      '--network',
      '--progress',
      '-o',
      '--output',
      '--cache-from',
      '--cache-to',
    ]).at(-1) ?? '.'
  const given = valuesOf(after, '-f', '--file')
  bound.code(resolve(cwd, given.at(-1) ?? join(folder, 'Dockerfile')), 'other')
  bound.data(resolve(cwd, folder, '.dockerignore'))
  bound.unbound(`${program} build reads the folder ${folder}, which is not bound.`)
}

/** Programs that read files of known names in the folder, or above it. */
export function runWithDefaults(
  names: readonly string[],
  language: 'python' | 'ruby' | 'javascript' | 'other' = 'other',
): Runner {
  return ({ program, args, cwd }, bound) => {
    for (const file of valuesOf(args, '-f', '--file', '--justfile', '--rakefile', '--config', '-c'))
      if (existsSync(resolve(cwd, file))) bound.code(file, language)
    for (const name of names) bound.nearest([name], language)
    bound.unbound(`${program} runs what its project defines; only ${names.join(', ')} and named files are bound.`)
  }
}

/** Terraform and others read every file of a kind in their folder. */
export function runWithFolder(patterns: readonly string[], option: readonly string[] = []): Runner {
  return ({ program, args, cwd }, bound) => {
    const folder = resolve(cwd, ...valuesOf(args, ...option))
    for (const pattern of patterns) bound.data(join(folder, pattern))
    bound.unbound(`${program} may load modules and plugins that are not bound.`)
  }
}

/** kubectl apply -f folder, helm -f values.yaml, kustomize. */
export const runKubectl: Runner = ({ args, cwd }, bound) => {
  for (const given of valuesOf(args, '-f', '--filename')) {
    if (given === '-' || /^https?:/.test(given)) continue
    const depth = args.some(arg => arg === '-R' || arg === '--recursive') ? '**/' : ''
    if (!isFile(resolve(cwd, given)))
      for (const end of ['yaml', 'yml', 'json']) bound.data(join(given, `${depth}*.${end}`))
  }
  for (const given of valuesOf(args, '-k', '--kustomize')) {
    for (const name of ['kustomization.yaml', 'kustomization.yml', 'Kustomization']) bound.data(join(given, name))
    bound.unbound(`The files that ${given} refers to are not bound.`)
  }
}

export function nearestFile(folder: string, names: readonly string[]): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const found = names.map(name => join(at, name)).find(path => existsSync(path))
    if (found !== undefined) return found
    if (dirname(at) === at) return null
  }
}
