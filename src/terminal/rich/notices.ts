import type { Request } from '../../protocol/request.ts'
import { dueOf } from '../../rules/deadlines.ts'
import { type Line, line } from '../../text/styled.ts'
import { authorOf, offerTitle } from '../drafts.ts'
import { dueText } from '../due-text.ts'
import { lastAnswerText } from '../last-answer.ts'
import type { Dialog } from './dialog.ts'

const near = 60_000

/** What a person should know beside the question: the last answer, the deadline, and what others began. */
export function notices(
  request: Request,
  { offers, form, last }: Dialog,
  { env, now }: { env: NodeJS.ProcessEnv; now: number },
): Line[] {
  const due = dueText(request, now)
  const used = offers.used(form)
  const [offer, ...more] = offers.offered(form)
  return [
    ...(last ? [line(`${lastAnswerText(last, env, now)} · ^L answer the same`, 'green')] : []),
    ...(used ? [line(`Filled in from ${authorOf(used)}'s draft · ^O undo`, 'cyan')] : []),
    ...(offer && !used
      ? [line(`${offerTitle(offer, now)} · ^O use it · ^G discard${others(more.length)}`, 'cyan')]
      : []),
    ...(due === null ? [] : [line(due, isNear(request, now) ? 'yellow' : 'dim')]),
  ]
}

function isNear(request: Request, now: number): boolean {
  const due = dueOf(request, now)
  return due?.state !== 'ahead' || due.at - now <= near
}

function others(count: number): string {
  return count === 0 ? '' : ` (and ${count} more)`
}
