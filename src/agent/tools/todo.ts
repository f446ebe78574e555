import * as z from 'zod'
import description from './todo.md'
import type { WorkTool } from './tool.ts'

const schema = z.strictObject({
  todos: z
    .array(z.strictObject({ text: z.string().min(1).max(500), status: z.enum(['open', 'doing', 'done']) }))
    .max(100)
    .describe('The whole list, in order; it replaces the previous one'),
})
type Input = z.output<typeof schema>

const marks = { open: '[ ]', doing: '[>]', done: '[x]' } as const

export const todoTool: WorkTool<Input> = {
  kind: 'work',
  name: 'Todo',
  description,
  schema,
  effect: 'none',
  title: ({ todos }) => {
    const doing = todos.find(({ status }) => status === 'doing')
    return `${todos.filter(({ status }) => status === 'done').length}/${todos.length} done${doing ? `, now: ${doing.text}` : ''}`
  },

  async run({ todos }) {
    const list = todos.map(({ text, status }) => `${marks[status]} ${text}`)
    return { output: list.length > 0 ? list.join('\n') : '(the list is empty)' }
  },
}
