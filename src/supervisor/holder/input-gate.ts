import type { Agent } from './agent.ts'
import { HeldInput } from './held-input.ts'
import type { InputWait } from './input-wait.ts'

interface Options {
  agent: () => Pick<Agent, 'inputWait' | 'readOutput' | 'write' | 'endInput'> | null
  /** The offset of what the agent prints next. */
  printed: () => number
  /** Tells the supervisor that the agent waits for what is held, having printed everything before this offset. */
  onWaits: (offset: number) => void
  /** Tells it that the agent has not waited for what was typed for a while. */
  onUnread: () => void
}

// How often an agent that does not wait is looked at: at once, then at growing intervals, in milliseconds.
const looksAtOnce = 10
const longestPause = 100
// After so many looks, which take about two seconds, the person is told.
const looksUntilTold = 36
const enter = ['\r', '\n']
// While other processes of the agent run, it counts as waiting only after this long: they may pass on what it printed.
const settleTime = 50
// What is written to a terminal takes a moment to arrive, and the agent still seems to wait. The end of a line wakes it for
// certain, however busy the machine is; a single key may not.
const arrivalTime = { line: 1_000, key: 20 }

/**
 * What a person types stays here until the agent waits for it and asks nothing. An agent prints its question and reads on
 * at once, faster than anybody could stop it, so its stdin must be empty by then: a line that stands there would be taken
 * for the answer. Whether the agent asks is the supervisor's to say. What it says holds until the agent prints more.
 *
 * An agent may look for input without ever waiting for it. That cannot be seen, so the person is told after a while, and
 * can send what is held with an empty line.
 */
export function createInputGate({ agent, printed, onWaits, onUnread }: Options) {
  const held = new HeldInput()
  /** The agent asks nothing in what it printed before this offset. */
  let passableAt = -1
  let looks = 0
  /** The person knows that what was typed is held. */
  let isTold = false
  /** The person wants the agent to have it, whether it waits or not. */
  let isForced = false
  let waitingSince: { offset: number; at: number } | null = null
  let lastPassed = { wait: '', arrivesBefore: 0 }
  let timer: (() => void) | null = null
  /** Counts the looks. Only the newest may pass something on: an older one saw the agent wait for what it has got since. */
  let newest = 0
  return { add, end, pass, reset, takeBack, typedBytes: () => held.typedBytes }

  function add(bytes: Buffer, isTyped: boolean) {
    if (isTyped && isTold && enter.includes(bytes.toString('latin1')) && held.isAtLineStart) isForced = true
    else held.add(bytes, { isTyped })
    lookSoon()
  }

  function end() {
    held.end()
    lookSoon()
  }

  function pass(offset: number) {
    passableAt = offset
    lookSoon()
  }

  /** What a supervisor said counts only as long as it is there. */
  function reset() {
    passableAt = -1
    isForced = false
    lookSoon()
  }

  function takeBack(): Buffer {
    isTold = false
    isForced = false
    return held.takeTyped()
  }

  function lookSoon() {
    looks = 0
    timer?.()
    timer = null
    schedule()
  }

  function schedule() {
    if (timer || held.isEmpty) return
    const pause = looks < looksAtOnce ? 0 : Math.min(2 ** (looks - looksAtOnce), longestPause)
    looks += 1
    if (pause === 0) {
      const immediate = setImmediate(look)
      timer = () => clearImmediate(immediate)
    } else {
      const timeout = setTimeout(look, pause)
      timer = () => clearTimeout(timeout)
    }
  }

  function look() {
    timer = null
    newest += 1
    const thisLook = newest
    const current = agent()
    const wait = isForced ? 'unknown' : (current?.inputWait() ?? 'busy')
    if (!current || wait === 'busy' || isOver(wait)) {
      waitingSince = null
      if (current && wait === 'busy') tellOnce()
      return schedule()
    }
    // It printed everything before it began to wait.
    current.readOutput(all => {
      if (thisLook !== newest) return
      if (!all) return schedule()
      const offset = printed()
      if (waitingSince?.offset !== offset) waitingSince = { offset, at: performance.now() }
      const isSettled = wait === 'unknown' || wait.alone || performance.now() - waitingSince.at >= settleTime
      if (isSettled && offset === passableAt) passOn(current, wait)
      else if (isSettled) onWaits(offset)
      schedule()
    })
  }

  function tellOnce() {
    if (isTold || looks < looksUntilTold || held.typedBytes === 0) return
    isTold = true
    onUnread()
  }

  /** It was given something in this very wait. */
  function isOver(wait: InputWait): boolean {
    return typeof wait === 'object' && wait.id === lastPassed.wait && performance.now() < lastPassed.arrivesBefore
  }

  function passOn(to: Pick<Agent, 'write' | 'endInput'>, wait: InputWait) {
    if (held.isEmpty) return
    const { id = '', room = null } = typeof wait === 'object' ? wait : {}
    const next = isForced ? takeBack() : held.take(room)
    if (held.typedBytes === 0) isTold = false
    const isLine = next !== 'end' && enter.includes(next.toString('latin1').at(-1) ?? '')
    lastPassed = { wait: id, arrivesBefore: performance.now() + (isLine ? arrivalTime.line : arrivalTime.key) }
    waitingSince = null
    looks = 0
    // An agent that no longer reads its stdin misses nothing.
    if (next === 'end') to.endInput()
    else to.write(next, () => {})
  }
}
