import type { Request } from '../../../src/protocol/request.ts'
import { t } from '../words/words.ts'

/** The options of a review, an approval and a permission are ours, and speak the reader's language. */
export function labelOf({ kind }: Pick<Request, 'kind'>, label: string): string {
  if (kind === 'question') return label
  const ours: Record<string, string> = {
    yes: t('Yes'),
    no: t('No'),
    approve: t('Good as it is'),
    changes: t('Needs changes'),
  }
  return Object.hasOwn(ours, label) ? (ours[label] ?? label) : label
}
