import type { Request } from '../../../src/protocol/request.ts'
import { t } from './translate.ts'

/** Beckon's own options, of reviews, approvals and permissions, are in the reader's language. */
export function optionLabel({ kind }: Pick<Request, 'kind'>, label: string): string {
  if (kind === 'question') return label
  const labels: Record<string, string> = {
    yes: t('Yes'),
    no: t('No'),
    approve: t('Looks good'),
    changes: t('Needs changes'),
  }
  return Object.hasOwn(labels, label) ? (labels[label] ?? label) : label
}
