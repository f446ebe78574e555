import * as z from 'zod'
import { attachmentLimits, limits } from './limits.ts'
import { line } from './text.ts'

/** A file that came with a request. Its bytes are read on their own. */
export const attachmentSchema = z.object({
  id: z.string(),
  name: z.string().describe("The asker's word, without folders."),
  type: z.string().describe('By its bytes: a type of picture, `text/plain` or `application/octet-stream`.'),
  size: z.number(),
  hash: z.string().describe('SHA-256 of the bytes, in hexadecimal digits.'),
  width: z.number().optional().describe('Of a picture, in pixels.'),
  height: z.number().optional(),
})
export type Attachment = z.output<typeof attachmentSchema>

const bytes = z
  .custom<Uint8Array | string>(given => given instanceof Uint8Array || typeof given === 'string', {
    error: 'must be bytes, or text in base64',
  })
  .superRefine((given, context) => {
    const problem = typeof given === 'string' ? base64Problem(given) : sizeProblem(given.length)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
  .meta({ type: 'string', contentEncoding: 'base64' })

/** A file to attach: a name and its bytes, which travel as base64 over HTTP. Nothing reads a path on the hub's machine. */
export const attachmentInputSchema = z.strictObject({ name: line(limits.path), data: bytes })
export type AttachmentInput = z.input<typeof attachmentInputSchema>

export const attachmentsInputSchema = z
  .array(attachmentInputSchema)
  .max(attachmentLimits.files, `are too many: at most ${attachmentLimits.files} files`)

function base64Problem(text: string): string | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 === 1) return 'is not base64'
  return sizeProblem(Math.floor((text.replace(/=+$/, '').length * 3) / 4))
}

export function sizeProblem(bytes: number): string | null {
  if (bytes === 0) return 'is empty'
  if (bytes <= attachmentLimits.bytes) return null
  return `is too large: ${bytes} bytes; the most is ${attachmentLimits.bytes / 1_048_576} MiB`
}
