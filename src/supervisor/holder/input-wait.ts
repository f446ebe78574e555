import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { fdsOfPoll, fdsOfSelect } from './watched-descriptors.ts'

/** Whether an agent waits for input: `busy` when it does not; `unknown` where that cannot be seen. */
export type InputWait = 'busy' | 'unknown' | Waiting

interface Waiting {
  /** Another one each time it begins to wait. */
  id: string
  /** How many bytes it takes at once; null where that cannot be seen. */
  room: number | null
  /** Whether nothing else of the agent runs, which may still print for it. */
  alone: boolean
}

type Call = 'read' | 'receive' | 'epoll' | 'poll' | 'select' | 'ring'

// Calls that wait for input, by their number.
const calls: Partial<Record<NodeJS.Architecture, Record<number, Call>>> = {
  x64: {
    ...{ 0: 'read', 19: 'receive', 45: 'read', 47: 'receive', 275: 'receive' },
    ...{ 232: 'epoll', 281: 'epoll', 441: 'epoll', 7: 'poll', 271: 'poll', 23: 'select', 270: 'select', 426: 'ring' },
  },
  arm64: {
    ...{ 63: 'read', 65: 'receive', 207: 'read', 212: 'receive', 76: 'receive' },
    ...{ 22: 'epoll', 441: 'epoll', 73: 'poll', 72: 'select', 426: 'ring' },
  },
}

/** What the file behind a descriptor is called; null where the system does not say. */
export function fileBehind(pid: number | undefined, fd: number): string | null {
  try {
    return pid === undefined ? null : readlinkSync(`/proc/${pid}/fd/${fd}`)
  } catch {
    return null
  }
}

/**
 * Looks at every thread of the agent and of its children: a call that it is blocked in, on the file that is the agent's
 * stdin. A blocked read means that the pipe or the terminal is empty. An agent that does not block in its reads is never
 * seen in one.
 */
export function inputWaitOf(pid: number | null, stdin: string | null): InputWait {
  const known = calls[process.arch]
  if (process.platform !== 'linux' || pid === null || stdin === null || !known) return 'unknown'
  try {
    const family = familyOf(pid)
    const threads = family.flatMap(threadsOf)
    for (const thread of threads) {
      const wait = waitOfThread(thread, known, stdin)
      if (wait) return { id: idOf(thread), ...wait, alone: threads.every(({ call }) => call !== null) }
    }
    return readsWithoutBlocking(family, stdin) ? 'unknown' : 'busy'
  } catch {
    return 'unknown'
  }
}

/** An agent and its children, without those that are stopped or have ended. */
function familyOf(pid: number): number[] {
  const family = [pid]
  for (const parent of family) {
    for (const thread of list(`/proc/${parent}/task`)) {
      const children = read(`/proc/${parent}/task/${thread}/children`) ?? ''
      family.push(...children.split(' ').filter(Boolean).map(Number))
    }
  }
  return family.filter(isAwake)
}

function isAwake(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`)
  // The command's name is in parentheses and may contain any character.
  return stat !== null && !/^\) [TtZX]/.test(stat.slice(stat.lastIndexOf(')')))
}

interface Thread {
  pid: number
  folder: string
  /** Null when it runs. */
  call: number | null
  args: number[]
}

function threadsOf(pid: number): Thread[] {
  return list(`/proc/${pid}/task`).flatMap(name => {
    const folder = `/proc/${pid}/task/${name}`
    const line = read(`${folder}/syscall`)
    if (line === null) return []
    const [call = '', ...args] = line.trim().split(' ')
    return [{ pid, folder, call: call === 'running' ? null : Number(call), args: args.map(Number) }]
  })
}

/** A thread has been put to sleep once more each time it begins to wait. */
function idOf({ folder }: Thread): string {
  return `${folder} ${read(`${folder}/status`)?.match(/^voluntary_ctxt_switches:\s*(\d+)/m)?.[1]}`
}

function waitOfThread(
  { pid, call, args }: Thread,
  known: Record<number, Call>,
  stdin: string,
): { room: number | null } | null {
  const [first = 0, second = 0, third = 0] = args
  switch (call === null ? undefined : known[call]) {
    case 'read':
      return isStdin(first) ? { room: third } : null
    case 'receive':
      return isStdin(first) ? { room: null } : null
    case 'epoll': {
      const watched = read(`/proc/${pid}/fdinfo/${first}`)?.matchAll(/^tfd:\s*(\d+)/gm) ?? []
      return anyIsStdin(Array.from(watched, ([, fd]) => Number(fd)))
    }
    case 'poll':
      return anyIsStdin(fdsOfPoll(pid, first, second))
    case 'select':
      return anyIsStdin(fdsOfSelect(pid, first, second))
    case 'ring':
      // What a ring waits for cannot be seen.
      return anyIsStdin([0])
    default:
      return null
  }

  function anyIsStdin(fds: readonly number[]) {
    return fds.some(isStdin) ? { room: null } : null
  }

  function isStdin(fd: number): boolean {
    const file = fileBehind(pid, fd)
    return file === stdin || (file === '/dev/tty' && stdin.startsWith('/dev/'))
  }
}

/**
 * Whether stdin does not block and nobody has an event loop on it. Node and other event loops make their stdin like that
 * too, but they wait for it in a call that is seen.
 */
function readsWithoutBlocking(family: readonly number[], stdin: string): boolean {
  const readers = family.filter(pid => fileBehind(pid, 0) === stdin)
  return readers.some(isNonBlocking) && !readers.some(hasEventLoop)
}

const nonBlocking = 0o4000

function isNonBlocking(pid: number): boolean {
  const flags = read(`/proc/${pid}/fdinfo/0`)?.match(/^flags:\s*([0-7]+)/m)?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & nonBlocking) !== 0
}

function hasEventLoop(pid: number): boolean {
  return list(`/proc/${pid}/fd`).some(fd => fileBehind(pid, Number(fd)) === 'anon_inode:[eventpoll]')
}

function list(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? []
}

function read(file: string): string | null {
  return attempt(() => readFileSync(file, 'latin1'))
}

/** Null for a process that has just ended. Throws where we may not look. */
function attempt<Content>(look: () => Content): Content | null {
  try {
    return look()
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
