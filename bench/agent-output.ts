const logs = [
  '[INFO] 12:03:44 src/hub/hub.ts: 214 tests pass (12 ms)',
  '  ✓ delivers an answer once when the supervisor dies between settling and delivery',
  'I read the failing test and looked at how the store commits; the order of the two writes is wrong.',
  '│ Reading src/store/group-commit.ts (142 lines) │',
  '{"level":30,"time":1763190584661,"items":[1,2,3],"msg":"request answered"}',
  '+    const row = await db.updateTable("requests").set(outcome).where("id", "=", id).executeTakeFirst()',
  '',
  '===========================================',
]
const code = `\`\`\`ts\n${'  const value = await next()\n'.repeat(12)}\`\`\`\n`
const question = '[USER_QUESTION]\ncategory: choice\nquestion: Which one?\noptions: [a, "b, c"]\n[/USER_QUESTION]\n'

/** A line of prose. */
export const prose = logs[2] ?? ''

/** Typical agent output: log lines, prose, occasional code blocks, and with `asks` one question per megabyte. */
export function agentOutput(size: number, { asks }: { asks: boolean }): Buffer {
  const parts: string[] = []
  for (let length = 0, i = 0; length < size; i += 1) {
    const part = asks && i % 12_000 === 1 ? question : i % 200 === 2 ? code : `${logs[(i * 7) % logs.length]}\n`
    parts.push(part)
    length += Buffer.byteLength(part)
  }
  return Buffer.from(parts.join('')).subarray(0, size)
}
