import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import * as z from 'zod'
import description from './read.md'
import { ToolError, type WorkTool } from './tool.ts'
import { insidePath, judgePath } from './workspace.ts'

const schema = z.strictObject({
  path: z.string().min(1).describe('The file, relative to the workspace or absolute'),
  offset: z.int().min(1).optional().describe('The first line to read, starting at 1'),
  limit: z.int().min(1).max(10_000).optional().describe('How many lines; 2000 by default'),
})
type Input = z.output<typeof schema>

const defaultLines = 2_000
const maxLine = 2_000
const maxSize = 50_000_000

export const readTool: WorkTool<Input> = {
  kind: 'work',
  name: 'Read',
  description,
  schema,
  effect: 'none',
  title: ({ path }) => path,
  judge: ({ path }, workspace) => judgePath('Read', path, workspace),

  async run({ path, offset = 1, limit = defaultLines }, job) {
    const file = insidePath('Read', path, job)
    const lines = readText(file, path).split('\n')
    if (lines.at(-1) === '') lines.pop()
    if (offset > lines.length && lines.length > 0) {
      throw new ToolError(`${path} has ${lines.length} lines.`, 'Read from an earlier line.')
    }
    const shown = lines.slice(offset - 1, offset - 1 + limit)
    const rest = lines.length - (offset - 1) - shown.length
    const more = rest > 0 ? `\n(${rest} more lines; read on with offset ${offset + shown.length})` : ''
    const numbered = shown.map((line, i) => `${String(offset + i).padStart(6)}\t${cut(line)}`)
    return { output: numbered.length > 0 ? `${numbered.join('\n')}${more}` : '(the file is empty)', files: [path] }
  },
}

function readText(file: string, path: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) throw new ToolError(`${path} does not exist.`, 'Look for it with Glob.')
  if (stat.isDirectory()) throw new ToolError(`${path} is a folder.`, 'List it with Glob, or with ls in Bash.')
  if (!stat.isFile()) throw new ToolError(`${path} is not a regular file.`, 'Only regular files can be read.')
  if (stat.size > maxSize) throw new ToolError(`${path} is ${stat.size} bytes.`, 'Use Grep, or head and tail in Bash.')
  if (isBinary(file)) throw new ToolError(`${path} is not a text file.`, 'Inspect it with file or xxd in Bash.')
  return readFileSync(file, 'utf8')
}

function isBinary(file: string): boolean {
  const fd = openSync(file, 'r')
  const start = Buffer.alloc(8_192)
  const length = readSync(fd, start)
  closeSync(fd)
  return start.subarray(0, length).includes(0)
}

function cut(line: string): string {
  return line.length <= maxLine ? line : `${line.slice(0, maxLine)}… (${line.length - maxLine} more characters)`
}
