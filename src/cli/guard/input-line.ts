import * as z from 'zod'

/** A line of `beckon guard --jsonl`. In a file of its own: one command is judged without a schema. */
export const inputLine = z.object({ cmd: z.string(), cwd: z.string().optional() })
