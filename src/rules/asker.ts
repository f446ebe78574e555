import type { Request } from '../protocol/request.ts'

// Who asks, as both inboxes show it: "claude-code · shop · session 3f2a".

type Asked = Pick<Request, 'agent' | 'session' | 'run'>

/** Requests with the same key come from one asker: a run, a session of an agent, or an agent in a directory. */
export function askerKey({ run, agent, session }: Asked): string {
  if (run !== null) return run
  // Agents with the same name in different directories are different agents; a session moves between directories.
  return JSON.stringify(session ? [agent.name, session] : [agent.name, null, agent.cwd])
}

/** The last name in a path, which people know a project by; the path itself where it has none. */
export function projectOf(directory: string): string {
  return directory.split(/[/\\]+/).findLast(Boolean) ?? directory
}

/** The parts of an asker's name, not yet harmless. Of several directories of one session, the outermost is the project. */
export function askerParts(requests: readonly Asked[], runName: string | null): AskerParts {
  const [first] = requests
  const session = requests.find(({ session }) => session)?.session ?? null
  const directories = requests.map(({ agent }) => agent.cwd)
  const outermost = directories.reduce((one, other) => (other.length < one.length ? other : one), directories[0] ?? '')
  // The name of a run says enough.
  const project = runName !== null && session === null ? null : projectOf(outermost)
  return { agent: runName ?? first?.agent.name ?? '', project, session }
}

export interface AskerParts {
  agent: string
  project: string | null
  session: string | null
}

const shortest = 4
// A name that a program chose itself, such as `order-4711`, is shown whole.
const wholeUpTo = 12
// The beginning of these ids is a clock, which sessions of the same hour share: UUIDs of version 7 (Codex), and opencode's.
const beginsWithClock = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-|^ses_/

/**
 * What people see of each session's name: its first four characters, or more where another session begins with the same.
 * Of an id that begins with a clock, it is the end; a short name is shown whole.
 */
export function shortSessions(sessions: Iterable<string | null | undefined>): (session: string) => string {
  const known = new Set(Array.from(sessions, session => session ?? '').filter(Boolean))
  const sorted = Array.from(known, readingOrder).sort()
  const short = new Map(
    sorted.map((letters, i) => {
      const shared = Math.max(sharedStart(letters, sorted[i - 1]), sharedStart(letters, sorted[i + 1]))
      const whole = letters.length <= wholeUpTo ? letters.length : processLength(letters)
      return [letters, Math.max(shortest, whole, shared + 1)]
    }),
  )
  return session => {
    const letters = readingOrder(session)
    const shown = [...letters].slice(0, short.get(letters) ?? shortest)
    return (beginsWithClock.test(session) ? shown.reverse() : shown).join('')
  }
}

/** A session that is known by its process (`4242:981`, pid and start) is shown by the whole pid. */
function processLength(session: string): number {
  return /^\d+(?=:\d+$)/.exec(session)?.[0].length ?? 0
}

function readingOrder(session: string): string {
  return beginsWithClock.test(session) ? [...session].reverse().join('') : session
}

/** How many characters two texts share at their beginning. */
function sharedStart(one: string, other = ''): number {
  const others = [...other]
  let length = 0
  for (const letter of one) {
    if (others[length] !== letter) break
    length += 1
  }
  return length
}
