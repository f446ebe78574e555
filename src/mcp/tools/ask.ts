import * as z from 'zod'
import type { AttachmentInput } from '../../protocol/attachment.ts'
import { BeckonError } from '../../protocol/errors.ts'
import { attachmentLimits, limits } from '../../protocol/limits.ts'
import { onTimeouts } from '../../protocol/status.ts'
import { text } from '../../protocol/text.ts'
import type { Call } from '../call.ts'
import { ask } from './asking.ts'
import { filled, oneLine } from './texts.ts'
import { fields, tool } from './tool.ts'

const mostQuestions = 4

const option = z.preprocess(
  // A plain label is short for an option without a description.
  given => (typeof given === 'string' ? { label: given } : given),
  fields({
    label: filled(limits.label),
    description: text(limits.description).optional(),
    preview: text(limits.preview).optional().describe('Text or code that shows what this option would look like.'),
  }),
)

const question = fields({
  question: filled(limits.question).describe('The whole question, with what the person needs to decide.'),
  header: oneLine(limits.header).optional().describe('A short title, such as "Database".'),
  options: z
    .array(option)
    .max(limits.options)
    .optional()
    .describe('What to choose from. Without options, the answer is free text.'),
  multiSelect: z.boolean().optional().describe('Let the person choose several options.'),
  allowOther: z.boolean().optional().describe('Accept a text besides the options (default: true).'),
  default: z
    .union([text(limits.text), z.array(text(limits.label)).max(limits.options)])
    .optional()
    .describe('The answer when nobody answers in time and onTimeout is "default".'),
})

export const askTool = tool({
  name: 'ask',
  title: 'Ask a person',
  description:
    'Ask a person up to four questions and wait for the answers. Use it when a decision is theirs: unclear requirements, a choice with consequences, something only they know. The result has "status": "answered" carries their answer in "value" and "answers"; declined, skipped, expired and cancelled are final and mean that there is no answer, so do not make one up; "pending" is not an answer: call wait with its id.',
  input: fields({
    questions: z
      .array(question)
      .min(1, 'needs at least one question')
      .max(mostQuestions, `has more than ${mostQuestions} questions; ask the rest in another call`)
      .describe(`One to ${mostQuestions} questions, shown together.`),
    context: text(limits.context).optional().describe('Markdown that helps the person decide.'),
    attachments: z
      .array(filled(limits.path))
      .max(attachmentLimits.files)
      .optional()
      .describe(
        'Paths of pictures (screenshots, mock-ups) or other files in your working directory, to show with them.',
      ),
    key: oneLine(limits.key)
      .optional()
      .describe('Makes repeating the call safe: the same key and content is the same request.'),
    timeout: oneLine(limits.name).optional().describe('A deadline, such as "15m" or "2h" (default: none).'),
    onTimeout: z.enum(onTimeouts).optional().describe('What happens at the deadline.'),
    async: z.boolean().optional().describe('Return a ticket at once, and go on with other work.'),
  }),
  async call({ questions, context, attachments: paths = [], key, timeout, onTimeout, async }, call) {
    const attachments = await readFiles(call, paths)
    const asked = questions.map(({ options = [], allowOther = true, ...rest }) => ({
      ...rest,
      options,
      ...(options.length > 0 ? { allowOther } : {}),
    }))
    return ask(call, { kind: 'question', questions: asked, context, attachments, timeout, onTimeout }, { key, async })
  },
})

async function readFiles({ machine, asker }: Call, paths: readonly string[]): Promise<AttachmentInput[]> {
  if (paths.length === 0) return []
  if (machine !== null && asker.cwd !== null) return machine.readFiles(paths, asker.cwd)
  throw new BeckonError(
    'unsupported',
    'This server is on another machine and cannot read your files. Ask without attachments, or run: beckon ask --attach FILE',
  )
}
