const ends: Record<string, string> = {
  waiting: 'The question stays open. Answer it with /answer, or with beckon inbox.',
  limit: 'The agent stopped at the limit of turns. Use /continue to continue.',
  interrupted: 'Stopped. The conversation is kept.',
}

/** Why a turn is over although the agent is not done; null for any other end. */
export function describeEnd(how: string): string | null {
  return ends[how] ?? null
}
