import { type EventType, type RunStatus, runEnds } from '../protocol/index.ts'

// A run is `starting` until its process exists, then `running`. A person pauses it, a long wait puts it to sleep. It ends
// once, as `completed`, `failed` or `stopped`; only starting it again leads back from an end.
const transitions: Record<RunStatus, readonly RunStatus[]> = {
  starting: ['running', 'completed', 'failed', 'stopped'],
  running: ['paused', 'asleep', 'completed', 'failed', 'stopped'],
  paused: ['running', 'asleep', 'completed', 'failed', 'stopped'],
  asleep: ['running', 'completed', 'failed', 'stopped'],
  completed: [],
  failed: [],
  stopped: [],
}

export function mayBecome(from: RunStatus, to: RunStatus): boolean {
  return from === to || transitions[from].includes(to)
}

export function isEnd(status: RunStatus): boolean {
  return (runEnds as readonly RunStatus[]).includes(status)
}

/** The event that announces a transition. */
export function transitionEvent(from: RunStatus, to: RunStatus): EventType {
  if (to === 'running') return from === 'asleep' ? 'run.woken' : from === 'paused' ? 'run.resumed' : 'run.started'
  return to === 'starting' ? 'run.started' : `run.${to}`
}
