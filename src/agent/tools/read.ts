import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import * as z from 'zod'
import description from './read.md'
import { ToolError, type WorkTool } from './tool.ts'
import { insidePath, judgePath } from './workspace.ts'

const schema = z.strictObject({
  path: z.string().min(1).describe('The file, from the workspace or absolute'),
  offset: z.int().min(1).optional().describe('The first line to read, counted from 1'),
  limit: z.int().min(1).max(10_000).optional().describe('How many lines; 2000 unless given'),
})
type Input = z.output<typeof schema>

const usualLines = 2_000
const longestLine = 2_000
const largest = 50_000_000

export const readTool: WorkTool<Input> = {
  kind: 'work',
  name: 'Read',
  description,
  schema,
  effect: 'none',
  title: ({ path }) => path,
  judge: ({ path }, workspace) => judgePath('Read', path, workspace),

  async run({ path, offset = 1, limit = usualLines }, job) {
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
  if (!stat.isFile()) throw new ToolError(`${path} is no regular file.`, 'Only regular files can be read.')
  if (stat.size > largest)
    throw new ToolError(`${path} is ${stat.size} bytes.`, 'Look into it with Grep, or head and tail.')
  if (isBinary(file)) throw new ToolError(`${path} is not a text.`, 'Look at it with file or xxd in Bash.')
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
  return line.length <= longestLine
    ? line
    : `${line.slice(0, longestLine)}… (${line.length - longestLine} more characters)`
}
