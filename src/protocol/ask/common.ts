import * as z from 'zod'
import { attachmentsInputSchema } from '../attachment.ts'
import { callbackUrlSchema } from '../callback.ts'
import { timeout } from '../duration.ts'
import { limits } from '../limits.ts'
import { onTimeouts } from '../status.ts'
import { line, text } from '../text.ts'

const agent = z.strictObject({
  name: line(limits.name).optional(),
  cwd: text(limits.path).optional(),
  path: z.array(line(limits.name)).max(50).optional(),
  /** The git branch that is checked out in `cwd`. */
  branch: line(limits.name).optional(),
})

/** The fields of every kind. */
export const common = {
  run: line(limits.name).nullish(),
  required: z.boolean().default(true),
  context: text(limits.context).nullish(),
  agent: agent.default({}),
  /** The agent's own name for its session, where a door knows it: asks of two sessions are never the same ask. */
  session: line(limits.name).nullish(),
  timeout: timeout.nullish(),
  onTimeout: z.enum(onTimeouts).nullish(),
  key: line(limits.key).nullish(),
  /** The asker hears messages while it waits, and can reply. */
  canReply: z.boolean().default(false),
  /** Pictures and other files for the person: stored with the request, never passed on to chats. */
  attachments: attachmentsInputSchema.default([]),
  callbackUrl: callbackUrlSchema
    .nullish()
    .describe(
      'Called once when the request is settled, with its id and status, signed. Its host must be on the list of the server.',
    ),
}
