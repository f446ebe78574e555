import * as z from 'zod'
import description from './grep.md'
import { ripgrep } from './ripgrep.ts'
import { ToolError, type WorkTool } from './tool.ts'
import { insidePath, judgePath } from './workspace.ts'

const schema = z.strictObject({
  pattern: z.string().min(1).describe('A regular expression in the syntax of ripgrep'),
  path: z.string().min(1).optional().describe('The file or folder to search; the workspace by default'),
  glob: z.string().min(1).optional().describe('Only files that match, such as *.ts'),
  ignoreCase: z.boolean().optional(),
  context: z.int().min(0).max(20).optional().describe('Lines to show around each match'),
  filesOnly: z.boolean().optional().describe('Print only the names of the files'),
})
type Input = z.output<typeof schema>

const maxLines = 1_000

export const grepTool: WorkTool<Input> = {
  kind: 'work',
  name: 'Grep',
  description,
  schema,
  effect: 'none',
  title: ({ pattern, path, glob }) =>
    [pattern, ...(path ? [`in ${path}`] : []), ...(glob ? [`(${glob})`] : [])].join(' '),
  judge: ({ path = '.' }, workspace) => judgePath('Grep', path, workspace),

  async run({ pattern, path = '.', glob, ignoreCase, context, filesOnly }, job) {
    insidePath('Grep', path, job)
    const args = [
      ...['--hidden', '--no-require-git', '--glob', '!.git', '--max-columns', '500', '--max-columns-preview'],
      ...(filesOnly ? ['--files-with-matches'] : ['--line-number', '--with-filename', '--no-heading']),
      ...(ignoreCase ? ['--ignore-case'] : []),
      ...(context && !filesOnly ? ['--context', String(context)] : []),
      ...(glob ? ['--glob', glob] : []),
      ...['--regexp', pattern, '--', path],
    ]
    const { lines, more, problem } = await ripgrep(args, job.cwd, maxLines, job.signal)
    if (problem) throw new ToolError(problem, 'Check the expression; escape special characters with a backslash.')
    if (lines.length === 0) return { output: 'No matches.' }
    return { output: `${lines.join('\n')}${more ? `\n(more than ${maxLines} lines; narrow the search)` : ''}` }
  },
}
