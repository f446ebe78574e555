import * as z from 'zod'

/** The types of pictures that a page shows, known by their bytes. Everything else is a file to download. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/** A file that came with a request. Its bytes are read on their own. */
export const attachmentSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  /** SHA-256 of the bytes. */
  hash: z.string(),
})
export type Attachment = z.output<typeof attachmentSchema>
