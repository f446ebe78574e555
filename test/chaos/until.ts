import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until it is so; an error counts as "not yet". Says what it waited for when it takes longer than `most` ms. */
export async function until(what: string, look: () => Promise<boolean> | boolean, most = 60_000): Promise<void> {
  const giveUpAt = performance.now() + most
  let last: unknown = null
  for (;;) {
    try {
      if (await look()) return
      last = null
    } catch (error) {
      last = error
    }
    if (performance.now() > giveUpAt) {
      const why = last instanceof Error ? ` (${last.message})` : ''
      throw new Error(`It took longer than ${most / 1_000} s until ${what}${why}.`)
    }
    await sleep(30)
  }
}
