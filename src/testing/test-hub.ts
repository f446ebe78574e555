import { createProgramHub } from '../library/program-hub.ts'
import { openHubAndStore } from '../open-hub.ts'
import { parseDuration } from '../protocol/duration.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { Hub } from '../typed/hub.ts'
import { createTypedHub } from '../typed/typed-hub.ts'
import { createManualClock } from './clock.ts'
import { createPerson, type Person } from './person.ts'

export interface TestHubOptions {
  /** When the test begins; now unless given. */
  now?: Date | string | number | undefined
  /** Who asks, unless an ask says so. */
  agent?: string | undefined
  directory?: string | undefined
  user?: string | undefined
  /** Who answers. */
  person?: string | undefined
  /** What a hub reads of its environment, such as BECKON_CALLBACK_HOSTS. Nothing unless given: no machine differs. */
  env?: Record<string, string> | undefined
}

export interface TestHub extends AsyncDisposable {
  /** The hub for the code under test. */
  hub: Hub
  person: Person
  clock: TestClock
  /** Fails where a scripted reply was refused. */
  close(): Promise<void>
}

export interface TestClock {
  now(): Date
  /** Moves the time: deadlines, reminders, scripted replies and waits on the way happen in their order. `15m`, or milliseconds. */
  advance(duration: string | number): Promise<void>
}

/**
 * The real hub over SQLite in memory, with a person whose answers are scripted and a clock that stands still until the
 * test moves it. Nothing leaves the process, and no file is written.
 */
export async function openTestHub(options: TestHubOptions = {}): Promise<TestHub> {
  const { agent = 'test', directory = process.cwd(), user = 'asker', person: by = 'person', env = {} } = options
  const clock = createManualClock(new Date(options.now ?? Date.now()).getTime())
  const { hub, store } = await openHubAndStore({
    database: ':memory:',
    env,
    clock,
    sweeps: false,
    caller: { agent, directory, user },
  })
  const scripted = createPerson({ hub: createTypedHub(hub), clock, parse: readDuration, by })
  return {
    // Named as a channel: a test gives the same result in the shell of an agent.
    hub: createProgramHub(hub, { channel: 'test', env: {}, directory }),
    person: scripted.person,
    clock: { now: () => new Date(clock.now()), advance },
    close,
    [Symbol.asyncDispose]: close,
  }

  async function advance(duration: string | number) {
    const end = clock.now() + readDuration(duration)
    for (let next = await nextMoment(); next !== null && next <= end; next = await nextMoment()) {
      clock.moveTo(next)
      await hub.sweep()
      await scripted.act()
      // What cannot happen yet must not keep us here.
      if (((await nextMoment()) ?? end) <= next) break
    }
    clock.moveTo(end)
    await hub.sweep()
    await scripted.act()
  }

  async function nextMoment(): Promise<number | null> {
    const due = await store.read(view => view.nextDue())
    const moments = [due, clock.nextWaking(), scripted.nextReply()].filter(moment => moment !== null)
    return moments.length === 0 ? null : Math.min(...moments)
  }

  async function close() {
    await scripted.close().finally(() => hub.close())
  }
}

function readDuration(duration: string | number): number {
  const milliseconds = typeof duration === 'number' ? duration : parseDuration(duration)
  if (milliseconds !== null && Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds
  throw new BeckonError('invalid', `${JSON.stringify(duration)} is not a duration; write 90s, 15m, 1h30m or 2d.`)
}
