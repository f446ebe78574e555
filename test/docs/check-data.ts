import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type ParseError, parse as parseJsonc, printParseErrorCode } from 'jsonc-parser'
import { parseAllDocuments } from 'yaml'
import { python } from '../clients/run-python.ts'
import type { Block } from './blocks.ts'

/** One document, or a document per line. */
export function checkJson(text: string): string[] {
  const whole = problemOf(() => JSON.parse(text))
  if (whole === null) return []
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return lines.length > 1 && lines.every(line => problemOf(() => JSON.parse(line)) === null) ? [] : [whole]
}

export function checkJsonc(text: string): string[] {
  const errors: ParseError[] = []
  parseJsonc(text, errors, { allowTrailingComma: false })
  return errors.map(({ error }) => printParseErrorCode(error))
}

export function checkYaml(text: string): string[] {
  return parseAllDocuments(text).flatMap(({ errors }) => errors.map(({ message }) => message))
}

/** Compiles all blocks in one process. */
export async function checkPython(blocks: readonly Pick<Block, 'text'>[]): Promise<string[][]> {
  const { stdout } = await promisify(execFile)(python, [
    '-c',
    compileAll,
    JSON.stringify(blocks.map(({ text }) => text)),
  ])
  return JSON.parse(stdout) as string[][]
}

const compileAll = `import ast, json, sys
def problems(text):
    try: compile(text, "block", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT); return []
    except SyntaxError as error: return [str(error)]
print(json.dumps([problems(text) for text in json.loads(sys.argv[1])]))`

function problemOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    return (error as Error).message
  }
}
