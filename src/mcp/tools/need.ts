import * as z from 'zod'
import { limits } from '../../protocol/limits.ts'
import { dependencyTypes } from '../../protocol/status.ts'
import { ask } from './asking.ts'
import { filled, oneLine } from './texts.ts'
import { fields, tool } from './tool.ts'

export const needTool = tool({
  name: 'need',
  title: 'Ask for a key, a file or a permission',
  description:
    'Ask a person for something that you do not have: an API key, an environment variable, access to a service, a file, a permission or a package. The result is a reference, never the value, so that no secret enters this conversation: "next" says how a command gets the value.',
  input: fields({
    type: z.enum(dependencyTypes),
    name: oneLine(limits.name).describe(
      'Its name; for a command, the name of the environment variable, such as STRIPE_KEY.',
    ),
    description: filled(limits.description).describe('What it is for, and where the person finds it.'),
    optional: z.boolean().optional().describe('Let the person skip it.'),
  }),
  call: ({ type, name, description, optional = false }, call) =>
    ask(call, { kind: 'dependency', type, name, description, required: !optional }),
})
