import type { Analysis } from '../interpret/analysis.ts'
import { type Argument, literal } from '../interpret/arguments.ts'
import type { Stream } from '../interpret/streams.ts'
import { parseArgs } from '../parse-args.ts'
import type { ProgramCall } from '../program-call.ts'

const modules: Readonly<Record<string, string>> = {
  awscli: 'aws',
  django: 'django-admin',
  ansible: 'ansible',
  alembic: 'alembic',
  pip: 'pip',
  twine: 'twine',
  poetry: 'poetry',
  flit: 'flit',
  hatch: 'hatch',
  sqlite3: 'sqlite3',
  flask: 'flask',
  mkdocs: 'mkdocs',
  'http.server': 'http.server',
  SimpleHTTPServer: 'http.server',
  uploadserver: 'http.server',
  pyftpdlib: 'pyftpdlib',
}
const scripts =
  /^(manage\.py|setup\.py|artisan|console|rails|rake|ace|spark|yii|magento|drush|doctrine|phinx|prisma|sequelize|knex|typeorm|wrangler|(deploy|release|publish|destroy|teardown|undeploy|rollback)([-_]\w+)?(\.(sh|bash|py|js|mjs|ts|rb|pl))?)$/

const beckonScript = /(^|\/)(beckon(\.m?js)?|(dist|src)\/cli\/(main|start)\.[cm]?[jt]s)$/

/** Runs scripts that rules know by name, as `python manage.py flush` or `python -m twine upload`; null for others. */
export function runNamedScript(call: ProgramCall, analysis: Analysis): Stream | null {
  const isPython = /^(python|pypy)[\d.]*$/.test(call.program)
  if (!isPython && !/^(php|ruby|node|bash|sh|zsh|dash|ksh|tsx|ts-node|bun|deno|source|\.)$/.test(call.program))
    return null
  const { options, operands } = parseArgs(call.args, { values: isPython ? ['-W', '-X', '-m'] : [], posix: true })
  if (options.some(({ name }) => ['-n', '-c', '-e', '-r', '--check', '--syntax-check', '-l'].includes(name)))
    return null
  const frame = { ...call.frame, via: [...call.frame.via, call.program] }
  const module = options.find(({ name }) => name === '-m')?.value
  if (module) {
    const program = Object.hasOwn(modules, module.value) ? modules[module.value] : undefined
    if (program === undefined) return null
    return analysis.runProgram([{ ...module, value: program }, ...afterModule(call.args, module)], frame)
  }
  const isRun = call.program === 'deno' && /^(run|x|serve)$/.test(operands[0]?.value ?? '')
  const [file, ...rest] = isRun ? parseArgs(operands.slice(1), { posix: true }).operands : operands
  // `deno run npm:beckon@1 answer`
  const packageName = isRun ? /^(?:npm|jsr):\/?(?:@[^/]*\/)?([^/@]+)/.exec(file?.value ?? '')?.[1] : undefined
  if (file && packageName !== undefined) return analysis.runProgram([literal(packageName, file.span), ...rest], frame)
  if (file && beckonScript.test(file.value)) return analysis.runProgram([literal('beckon', file.span), ...rest], frame)
  const name = file?.value.split('/').at(-1) ?? ''
  return file && scripts.test(name) ? analysis.runProgram([literal(name, file.span), ...rest], frame) : null
}

function afterModule(args: readonly Argument[], module: Argument): readonly Argument[] {
  return args.slice(args.findIndex(arg => arg.span === module.span && arg.value.endsWith(module.value)) + 1)
}
