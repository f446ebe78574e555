import type { Request } from '../protocol/index.ts'
import { short } from './title.ts'

/** How a request was settled and by whom: `Approved by ana`. Not what was answered: that is in the inbox. */
export function describeSettlement(request: Request): string {
  const { outcome } = request
  if (outcome === null) return 'Settled'
  const by = outcome.channel === 'rule' ? 'by a rule' : `by ${short(outcome.by, 60)}`
  switch (outcome.status) {
    case 'answered':
      return `${answered(request)} ${by}`
    case 'declined':
      return `Declined ${by}`
    case 'skipped':
      return `Skipped ${by}`
    case 'defaulted':
      return 'Time is up, the default was used'
    case 'expired':
      return 'Time is up, nobody answered'
    case 'cancelled':
      return 'Withdrawn'
    case 'orphaned':
      return 'Its run ended'
  }
}

function answered({ kind, outcome }: Request): string {
  switch (kind) {
    case 'question':
      return 'Answered'
    case 'dependency':
      return 'Provided'
    case 'approval':
      return outcome?.answers[0]?.selected[0] === 'no' ? 'Not approved' : 'Approved'
    case 'review':
      return 'Reviewed'
  }
}
