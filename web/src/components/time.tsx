import { ago, moment } from '../words/times.ts'
import { useNow } from './use-now.ts'

/** How long ago, with the exact time as a tooltip. */
export function Ago({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={moment(at)}>
      {ago(at, now)}
    </time>
  )
}

/** The exact time and how long ago that was. Touch screens have no tooltips. */
export function When({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at}>
      {moment(at)} <span className="quiet">({ago(at, now)})</span>
    </time>
  )
}
