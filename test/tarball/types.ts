import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** The errors in our types and in a strict program that imports everything, with this resolution of modules. */
export async function typeErrors(folder: string, module: 'bundler' | 'node16'): Promise<string[]> {
  const { exports } = JSON.parse(readFileSync(join(folder, 'node_modules/beckon/package.json'), 'utf8'))
  const names = Object.keys(exports).filter(name => name !== './package.json')
  const imports = names.map((name, n) => `import * as part${n} from '${name.replace('.', 'beckon')}'\n`)
  writeFileSync(join(folder, 'typed.mts'), `${imports.join('')}${program(names.map((_, n) => `part${n}`))}`)
  writeFileSync(join(folder, `tsconfig.${module}.json`), JSON.stringify(settings(module)))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const run = promisify(execFile)(process.execPath, [compiler, '-p', `tsconfig.${module}.json`], {
    cwd: folder,
    maxBuffer: 1e8,
  })
  const { stdout } = await run.catch(error => error as { stdout: string })
  return stdout.split('\n').filter(line => / error TS/.test(line) && !/node_modules\/(?!beckon\/)/.test(line))
}

/** What the types refer to and a project installs itself: the AI SDK and the types of Node. */
export function addPeers(folder: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  for (const name of ['ai', '@types']) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
}

/** Type errors where a name is missing, where it is `any`, or where an answer is not one of the options. */
function program(parts: string[]): string {
  return `import { openHub, type Ask, type Outcome } from 'beckon'
const ask = { question: 'Ship it?', options: ['yes', 'no'] } as const satisfies Ask
const hub = await openHub()
const outcome = await hub.ask(ask)
export const value: 'yes' | 'no' | null = outcome.value
// @ts-expect-error
export const other: 'maybe' | null = outcome.value
export const id: Outcome['id'] = outcome.id
type NotAny<T> = 0 extends 1 & T ? never : T
export const parts: NotAny<typeof hub>[] = [hub]
console.log(${parts.join(', ')})
`
}

function settings(module: 'bundler' | 'node16') {
  return {
    compilerOptions: {
      strict: true,
      noUncheckedIndexedAccess: true,
      target: 'es2024',
      ...(module === 'bundler' ? { module: 'esnext', moduleResolution: 'bundler' } : { module: 'node16' }),
      types: ['node'],
      noEmit: true,
    },
    files: ['typed.mts'],
  }
}
