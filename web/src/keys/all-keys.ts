import type { Phrase } from '../words/translate.ts'

// Every key of the page, in the order in which help lists them. Whoever adds a shortcut lists it here, too.

export interface Key {
  /** As a person reads it: `j`, `g i`, `Ctrl K`, `1 – 9`. */
  readonly key: string
  readonly where: 'everywhere' | 'list' | 'request' | 'review'
  readonly says: Phrase
}

export const allKeys: readonly Key[] = [
  { key: 'j', where: 'list', says: 'Next request' },
  { key: 'k', where: 'list', says: 'Previous request' },
  { key: 'Enter', where: 'list', says: 'Open the request' },
  { key: 'x', where: 'list', says: 'Select, to answer several together' },
  { key: 'Shift J', where: 'list', says: 'Select this one and the next' },
  { key: 'Shift K', where: 'list', says: 'Select this one and the previous' },
  { key: 'A', where: 'list', says: 'Answer the selected together' },
  { key: 'D', where: 'list', says: 'Decline the selected together' },
  { key: 'z', where: 'list', says: 'Snooze' },
  { key: 'n', where: 'list', says: 'Next waiting request' },
  { key: '1 – 9', where: 'request', says: 'Choose an option' },
  { key: 'L', where: 'request', says: 'Answer the same as last time' },
  { key: '0', where: 'request', says: 'Other, in your own words' },
  { key: 'A', where: 'request', says: 'Approve' },
  { key: 'E', where: 'request', says: 'Edit the command' },
  { key: 'S', where: 'request', says: 'Skip' },
  { key: 'C', where: 'request', says: 'Ask back' },
  { key: 'D', where: 'request', says: 'Decline or deny' },
  { key: 'U', where: 'request', says: 'Undo the last decision' },
  { key: 'Ctrl Enter', where: 'request', says: 'Continue or send from text' },
  { key: '← →', where: 'request', says: 'Previous and next picture, in a picture' },
  { key: 'Esc', where: 'request', says: 'Back to the list' },
  { key: 'A', where: 'review', says: 'Approve' },
  { key: 'R', where: 'review', says: 'Request changes' },
  { key: '↑ ↓', where: 'review', says: 'Next and previous line of the diff' },
  { key: 'C', where: 'review', says: 'Comment on the focused line' },
  { key: 'V', where: 'review', says: 'Mark the file as viewed' },
  { key: '/', where: 'everywhere', says: 'Find' },
  { key: 'Ctrl K', where: 'everywhere', says: 'Command palette' },
  { key: 'g i', where: 'everywhere', says: 'Go to the inbox' },
  { key: 'g r', where: 'everywhere', says: 'Go to the runs' },
  { key: 'g h', where: 'everywhere', says: 'Go to the history' },
  { key: 'g s', where: 'everywhere', says: 'Go to the settings' },
  { key: '?', where: 'everywhere', says: 'Show this help' },
]
