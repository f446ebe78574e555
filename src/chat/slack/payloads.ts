import * as z from 'zod'

// What we read of what Slack sends, over the socket or by HTTP. A payload of another shape is acknowledged and passed over.

const id = z.string().min(1).max(100)

export const pressSchema = z.object({
  type: z.literal('block_actions'),
  team: z.object({ id }).nullish(),
  user: z.object({ id, team_id: id.optional() }),
  channel: z.object({ id }).nullish(),
  container: z.object({ channel_id: id.optional() }).nullish(),
  actions: z
    .array(
      z.object({
        action_id: z.string().max(300),
        action_ts: z.string().max(100),
        value: z.string().max(300).optional(),
      }),
    )
    .max(10),
})
export type SlackPress = z.output<typeof pressSchema>

export const commandSchema = z.object({
  command: z.string().max(100),
  text: z.string().default(''),
  team_id: id,
  user_id: id,
  user_name: z.string().max(200).optional(),
})

/** A person is an account of one workspace; in a shared channel, of their own. */
export function accountOf(team: string, user: string): string {
  return `${team}/${user}`
}
