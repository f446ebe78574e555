import { readFileSync, statSync } from 'node:fs'
import * as z from 'zod'
import { makeDiff } from '../../text/make-diff.ts'
import description from './edit.md'
import { ToolError, type WorkTool } from './tool.ts'
import { insidePath, judgePath } from './workspace.ts'
import { writeWhole } from './write.ts'

const schema = z.strictObject({
  path: z.string().min(1).describe('The file, relative to the workspace or absolute'),
  old: z.string().min(1).describe('The text to replace, exactly as it is in the file'),
  new: z.string().describe('The text to put in its place'),
  all: z.boolean().optional().describe('Replace every occurrence instead of exactly one'),
})
type Input = z.output<typeof schema>

export const editTool: WorkTool<Input> = {
  kind: 'work',
  name: 'Edit',
  description,
  schema,
  effect: 'once',
  title: ({ path }) => path,
  judge: ({ path, old, new: next, all = false }, workspace) =>
    judgePath('Edit', path, workspace, { old, new: next, all }),

  async run({ path, old, new: next, all = false }, job) {
    const file = insidePath('Edit', path, job)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
      throw new ToolError(`${path} does not exist.`, 'Create it with Write, or look for it with Glob.')
    }
    if (old === next) throw new ToolError('Old and new text are the same.', 'Nothing was changed.')
    const content = readFileSync(file, 'utf8')
    const count = content.split(old).length - 1
    if (count === 0) {
      throw new ToolError(
        `The text was not found in ${path}.`,
        'Read the file again: every space and line break must match, without line numbers.',
      )
    }
    if (count > 1 && !all) {
      throw new ToolError(
        `The text occurs ${count} times in ${path}.`,
        'Add lines around it until it is unique, or set all.',
      )
    }
    const changed = content.split(old).join(next)
    writeWhole(file, changed)
    return {
      output: `Edited ${path}: ${count} ${count === 1 ? 'place' : 'places'}.`,
      files: [path],
      diff: makeDiff(path, content, changed),
    }
  },
}
