import type { InboxRow } from '../../../src/protocol/inbox.ts'
import { snooze } from '../api/inbox.ts'
import { serverTime } from '../server-time.ts'
import { hideRows, showRows } from '../state/inbox.ts'
import { leaveRequests } from '../state/next.ts'
import { errorText } from '../words/error-text.ts'
import { t } from '../words/translate.ts'
import { tell } from './notice.tsx'
import { shortMoment } from './snooze-times.ts'

/** Hides requests from this person until then. They are gone at once, and come back if the hub refuses or by undo. */
export async function snoozeRows(rows: readonly InboxRow[], until: Date): Promise<void> {
  const wanted = rows.filter(({ severity }) => severity !== 'critical')
  if (wanted.length === 0) return tell(t('Critical requests cannot be snoozed.'))
  const ids = wanted.map(({ id }) => id)
  leaveRequests(ids)
  hideRows(ids)
  const { done, failed, why } = await each(ids, id => snooze(id, until.toISOString()))
  if (failed.length > 0) showRows(failed)
  if (done.length === 0) return tell(why ?? t('Something went wrong.'))
  const text = [
    done.length === 1
      ? t('Snoozed until {time}', { time: shortMoment(until) })
      : t('{count} snoozed until {time}', { count: done.length, time: shortMoment(until) }),
    ...(rows.length > wanted.length ? [t('Critical requests cannot be snoozed.')] : []),
    ...(why === null ? [] : [why]),
  ].join(' · ')
  tell(text, () => void wake(done))
}

/** Shows them again at once. */
export async function wake(ids: readonly string[]): Promise<void> {
  const { failed, why } = await each(ids, id => snooze(id, null))
  showRows(ids.filter(id => !failed.includes(id)))
  if (why !== null) tell(why)
}

export const inAnHour = () => new Date(serverTime() + 60 * 60_000)

interface Done {
  readonly done: string[]
  readonly failed: string[]
  /** Why the first one failed. */
  readonly why: string | null
}

const atOnce = 4

/** A few at a time; one that fails does not stop the others. */
export async function each(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
  onProgress: (count: number) => void = () => {},
): Promise<Done> {
  const left = [...ids]
  const done: string[] = []
  const failed: string[] = []
  let why: string | null = null
  await Promise.all(Array.from({ length: atOnce }, next))
  return { done, failed, why }

  async function next(): Promise<void> {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      try {
        await work(id)
        done.push(id)
      } catch (error) {
        failed.push(id)
        why ??= errorText(error)
      }
      onProgress(done.length + failed.length)
    }
  }
}
