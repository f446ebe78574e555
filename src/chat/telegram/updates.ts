import * as z from 'zod'

// What we read of an update. Everybody can write to a bot, so all of it is hostile; an update of another shape is passed over.

/** A changed client sends what it likes as the data of a button, also what a database does not take. */
const buttonData = z.string().transform(text => text.slice(0, 64).replaceAll(/[^\x20-\x7e]/g, '?'))

const user = z.object({
  id: z.int(),
  is_bot: z.boolean().optional(),
  first_name: z.string().optional(),
  username: z.string().optional(),
})
export type TelegramUser = z.output<typeof user>

const chat = z.object({ id: z.int(), type: z.string() })

const pressed = z.object({
  update_id: z.int(),
  callback_query: z.object({
    id: z.string().max(200),
    from: user,
    data: buttonData.optional(),
    message: z.object({ message_id: z.int(), chat: z.object({ id: z.int() }) }).optional(),
  }),
})

const written = z.object({
  update_id: z.int(),
  message: z.object({ from: user, chat, text: z.string() }),
})

export const anyUpdate = z.looseObject({ update_id: z.int() })

export const updateSchema = z.union([pressed, written])
export type TelegramUpdate = z.output<typeof updateSchema>

/** What the account calls itself, for the person who pairs it. */
export function labelOf({ id, first_name, username }: TelegramUser): string {
  return username ? `@${username}` : `${first_name ?? 'somebody'} (${id})`
}
