import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from '../../protocol/request.ts'
import { dueText } from '../due-text.ts'

interface Options {
  now: () => number
  signal: AbortSignal
  say: (text: string) => void
}

const announced = [60_000, 10_000]
const longestSleep = 2 ** 31 - 1

/** Plain lines cannot be redrawn: a minute and ten seconds before its end, a line says how much time is left. */
export async function countDown(request: Request, { now, signal, say }: Options): Promise<void> {
  if (request.deadline === null || request.remindAt !== undefined) return
  const end = Date.parse(request.deadline)
  for (const before of announced) {
    const wait = end - before - now()
    if (wait <= 0 || wait > longestSleep) continue
    await sleep(wait, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return
    say(dueText(request, now()) ?? '')
  }
}
