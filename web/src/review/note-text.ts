import { locale, t } from '../words/translate.ts'

/** What a diff says about lines that are not there, in the reader's language; as it is, if it is not a note of ours. */
export function noteText(note: string): string {
  const [, what, added, removed] = /^(Cut here|Too long to show): \+(\d+) -(\d+) lines/.exec(note) ?? []
  if (what !== undefined) {
    const values = { added: inDigits(added), removed: inDigits(removed) }
    return what === 'Cut here'
      ? t('Cut here. In all: +{added} −{removed} lines', values)
      : t('Too long to show: +{added} −{removed} lines', values)
  }
  const [, size] = /^Not compared: (.+)$/.exec(note) ?? []
  if (size !== undefined) return t('Too large to compare: {size}', { size })
  return note === 'No newline at end of file' ? t('No newline at end of file') : note
}

function inDigits(count: string | undefined): string {
  return Number(count).toLocaleString(locale())
}
