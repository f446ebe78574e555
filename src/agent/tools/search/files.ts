import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** What one folder's ignore files say about everything below it. */
interface Ignored {
  readonly folder: string
  readonly rules: Ignore
}

const ignoreFiles = ['.gitignore', '.ignore', '.rgignore']

/** Whether a file is meant by globs in the syntax of .gitignore, of which those with `!` exclude. */
export function createFileFilter(globs: readonly string[]): (file: string) => boolean {
  const wanted = globs.filter(glob => !glob.startsWith('!'))
  const unwanted = globs.filter(glob => glob.startsWith('!')).map(glob => glob.slice(1))
  const included = ignore().add(wanted)
  const excluded = ignore().add(unwanted)
  return file => (wanted.length === 0 || included.ignores(file)) && !excluded.ignores(file)
}

/** The files below a folder, relative to it, hidden ones too. Leaves out `.git`, what git ignores, and symbolic links. */
export async function* walk(folder: string, isWanted: (file: string) => boolean): AsyncGenerator<string> {
  const top = resolve(folder)
  yield* below(top, await ignoredAbove(top))

  async function* below(current: string, above: readonly Ignored[]): AsyncGenerator<string> {
    const ignored = [...above, ...(await readIgnoreFiles(current))]
    for (const entry of await entriesOf(current)) {
      const path = join(current, entry.name)
      if (entry.name === '.git' || isIgnored(path, entry.isDirectory(), ignored)) continue
      if (entry.isDirectory()) yield* below(path, ignored)
      else if (entry.isFile() && isWanted(relative(top, path))) yield relative(top, path)
    }
  }
}

/** What the folders above say, up to the root of the repository or of the file system. */
async function ignoredAbove(top: string): Promise<Ignored[]> {
  const ignored: Ignored[] = []
  for (let folder = top; ; folder = dirname(folder)) {
    if (folder !== top) ignored.unshift(...(await readIgnoreFiles(folder)))
    const excluded = await readRules(join(folder, '.git', 'info', 'exclude'))
    if (excluded !== '') ignored.unshift({ folder, rules: ignore().add(excluded) })
    const isRepository = (await entriesOf(folder)).some(({ name }) => name === '.git')
    if (isRepository || folder === dirname(folder)) return ignored
  }
}

async function readIgnoreFiles(folder: string): Promise<Ignored[]> {
  const rules = (await Promise.all(ignoreFiles.map(name => readRules(join(folder, name))))).filter(Boolean)
  return rules.length === 0 ? [] : [{ folder, rules: ignore().add(rules.join('\n')) }]
}

async function readRules(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}

/** The innermost folder that says anything decides. */
function isIgnored(path: string, isFolder: boolean, ignored: readonly Ignored[]): boolean {
  for (const { folder, rules } of ignored.toReversed()) {
    const verdict = rules.test(`${relative(folder, path)}${isFolder ? '/' : ''}`)
    if (verdict.ignored) return true
    if (verdict.unignored) return false
  }
  return false
}

/** In the order of their names; none of a folder that cannot be read. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}
