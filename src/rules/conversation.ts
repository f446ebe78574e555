/** Whether a conversation of the built-in agent, or of one of its sub-agents, asked under this key: it wakes to reply. */
export function isOfConversation(key: string | null, session: string | null): boolean {
  return session !== null && key !== null && ['/', '-'].some(end => key.startsWith(`${session}${end}`))
}
