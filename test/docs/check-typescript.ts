import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Block, root } from './blocks.ts'
import { surroundings } from './surroundings.ts'

/** Checks all blocks in one run of the compiler, against the types that the package ships; the problems of each. */
export async function checkTypeScript(blocks: readonly Pick<Block, 'text' | 'language'>[]): Promise<string[][]> {
  // Inside of the package, so that `beckon` and its exports are what users import.
  mkdirSync(join(root, 'dist/.docs'), { recursive: true })
  const folder = mkdtempSync(join(root, 'dist/.docs/blocks-'))
  try {
    const names = blocks.map(({ language }, n) => `block-${n}.${language === 'js' ? 'js' : 'ts'}`)
    for (const [n, { text }] of blocks.entries()) writeFileSync(join(folder, names[n] ?? ''), `${text}\nexport {}\n`)
    writeFileSync(join(folder, 'surroundings.d.ts'), surroundings)
    // What docs/testing.md tests.
    writeFileSync(join(folder, 'deploy.ts'), 'export declare function deploy(hub: unknown): Promise<string>\n')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    const compiler = join(root, 'node_modules/.bin/tsc')
    const run = promisify(execFile)(compiler, ['-p', folder, '--pretty', 'false'], { cwd: folder })
    const { stdout } = await run.catch(error => error as { stdout: string })
    return names.map(name => stdout.split('\n').filter(line => line.startsWith(`${name}(`) && !isUntyped(line)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** JavaScript does not say what its parameters are. */
function isUntyped(problem: string): boolean {
  return /\.js\(.*error TS7006:/.test(problem)
}

// As a user's project has it: strict, and nothing of ours but the package.
const settings = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    allowJs: true,
    checkJs: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  },
  include: ['surroundings.d.ts', 'block-*'],
}
