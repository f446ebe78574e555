import { useSyncExternalStore } from 'react'
import { ago, moment, until } from '../words/times.ts'

/** How long ago; the exact moment on a longer look. */
export function Ago({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={moment(at)}>
      {ago(at, now)}
    </time>
  )
}

export function Until({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={moment(at)}>
      {until(at, now)}
    </time>
  )
}

// One clock for all of them, and none while nobody looks.
const every = 15_000
let now = Date.now()
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

export function useNow(): number {
  return useSyncExternalStore(watch, () => now)
}

function watch(changed: () => void): () => void {
  watchers.add(changed)
  if (watchers.size === 1) {
    tick()
    timer = setInterval(tick, every)
  }
  return () => {
    watchers.delete(changed)
    if (watchers.size === 0) clearInterval(timer)
  }
}

function tick(): void {
  now = Date.now()
  for (const tell of watchers) tell()
}
