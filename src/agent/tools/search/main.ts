import { readFile, stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readExpression } from './expression.ts'
import { createFileFilter, walk } from './files.ts'
import { matchingLines } from './lines.ts'

// Searches files as ripgrep does, with those of its options that Glob and Grep use and with its exit codes, for machines
// without ripgrep. It is a program of its own so that a search can be killed, whatever its expression does.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    context: { type: 'string', default: '0' },
    files: { type: 'boolean' },
    'files-with-matches': { type: 'boolean' },
    glob: { type: 'string', multiple: true, default: [] },
    hidden: { type: 'boolean' },
    'ignore-case': { type: 'boolean', default: false },
    'line-number': { type: 'boolean' },
    'max-columns': { type: 'string', default: '500' },
    'max-columns-preview': { type: 'boolean' },
    'no-config': { type: 'boolean' },
    'no-heading': { type: 'boolean' },
    'no-require-git': { type: 'boolean' },
    regexp: { type: 'string', default: '' },
    'with-filename': { type: 'boolean' },
  },
})

try {
  process.exitCode = (await search(positionals[0])) ? 0 : 1
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 2
}

/** False if nothing was found. */
async function search(path = '.'): Promise<boolean> {
  const expression = values.files ? null : readExpression(values.regexp, values['ignore-case'])
  const isWanted = createFileFilter(values.glob)
  let found = false
  for await (const file of filesOf(path, isWanted)) {
    const lines = expression ? await linesOf(file, expression) : [file]
    if (lines.length === 0) continue
    found = true
    // A reader that has enough kills this program.
    process.stdout.write(`${(values['files-with-matches'] ? [file] : lines).join('\n')}\n`)
  }
  return found
}

/** As ripgrep prints them: without `./` only where no path was given. */
async function* filesOf(path: string, isWanted: (file: string) => boolean): AsyncGenerator<string> {
  if ((await stat(path)).isFile()) yield path
  else {
    for await (const file of walk(path, isWanted)) {
      yield positionals.length === 0 ? file : `${path.replace(/\/+$/, '')}/${file}`
    }
  }
}

async function linesOf(file: string, expression: RegExp): Promise<string[]> {
  const bytes = await readFile(file).catch(() => null)
  // Nobody reads the lines of a picture.
  if (!bytes || bytes.subarray(0, 65_536).includes(0)) return []
  const options = { context: Number(values.context), columns: Number(values['max-columns']) }
  return matchingLines(bytes.toString('utf8'), expression, options).map(({ number, mark, text }) =>
    number === null ? '--' : `${file}${mark}${number}${mark}${text}`,
  )
}
