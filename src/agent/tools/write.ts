import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod'
import { makeDiff } from '../../text/make-diff.ts'
import { ToolError, type WorkTool } from './tool.ts'
import { insidePath, judgePath } from './workspace.ts'
import description from './write.md'

const schema = z.strictObject({
  path: z.string().min(1).describe('The file, relative to the workspace or absolute'),
  content: z.string().describe('The whole content of the file'),
})
type Input = z.output<typeof schema>

const longestCompared = 1_000_000

export const writeTool: WorkTool<Input> = {
  kind: 'work',
  name: 'Write',
  description,
  schema,
  effect: 'once',
  title: ({ path }) => path,
  judge: ({ path, content }, workspace) => judgePath('Write', path, workspace, { content }),

  async run({ path, content }, job) {
    const file = insidePath('Write', path, job)
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
      throw new ToolError(`${path} is a folder.`, 'Name a file in it.')
    }
    const before = readText(file)
    writeWhole(file, content)
    const lines = content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0)
    return {
      output: `Wrote ${path}: ${lines} ${lines === 1 ? 'line' : 'lines'}.`,
      files: [path],
      diff: makeDiff(path, before, content),
    }
  },
}

/** Null for a file that does not exist or is too long to compare. */
function readText(file: string): string | null {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat?.isFile() && stat.size <= longestCompared ? readFileSync(file, 'utf8') : null
}

/** A new file appears whole or not at all; an existing one keeps its permissions and its links. */
export function writeWhole(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  if (statSync(file, { throwIfNoEntry: false })) {
    writeFileSync(file, content)
    return
  }
  const draft = `${file}.${process.pid}.draft`
  writeFileSync(draft, content)
  renameSync(draft, file)
}
