import { ago, moment, until } from '../words/times.ts'
import { useNow, useNowBefore } from './clock.ts'

/** How long ago; the exact moment on a longer look. */
export function Ago({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={moment(at)}>
      {ago(at, now)}
    </time>
  )
}

/** The exact moment, for those who can take no longer look, and how long ago that was. */
export function When({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at}>
      {moment(at)} <span className="quiet">({ago(at, now)})</span>
    </time>
  )
}

export function Until({ at }: { at: string }) {
  const now = useNowBefore(at)
  return (
    <time dateTime={at} title={moment(at)}>
      {until(at, now)}
    </time>
  )
}
