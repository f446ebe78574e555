import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod'
import description from './glob.md'
import { ripgrep } from './ripgrep.ts'
import { ToolError, type WorkTool } from './tool.ts'
import { insidePath, judgePath } from './workspace.ts'

const schema = z.strictObject({
  pattern: z.string().min(1).describe('Such as **/*.ts or src/**/test_*.py'),
  path: z.string().min(1).optional().describe('The folder to look in; the workspace by default'),
})
type Input = z.output<typeof schema>

const maxFiles = 1_000

export const globTool: WorkTool<Input> = {
  kind: 'work',
  name: 'Glob',
  description,
  schema,
  effect: 'none',
  title: ({ pattern, path }) => (path ? `${pattern} in ${path}` : pattern),
  judge: ({ path = '.' }, workspace) => judgePath('Glob', path, workspace),

  async run({ pattern, path = '.' }, job) {
    const folder = insidePath('Glob', path, job)
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new ToolError(`${path} is not a folder.`, 'Leave path out to look in the whole workspace.')
    }
    const args = ['--files', '--hidden', '--no-require-git', '--glob', pattern, '--glob', '!.git']
    const { lines, more, problem } = await ripgrep(args, folder, maxFiles, job.signal)
    if (problem) throw new ToolError(problem, 'Check the pattern.')
    if (lines.length === 0) return { output: 'No file matches. (Files that git ignores are left out.)' }
    const newestFirst = lines
      .map(file => ({ file, at: statSync(resolve(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => b.at - a.at)
    const note = more ? `\n(more than ${maxFiles}; use a narrower pattern)` : ''
    return { output: `${newestFirst.map(({ file }) => file).join('\n')}${note}` }
  },
}
