import { allKeys, type Key } from '../keys/all-keys.ts'
import type { Route } from '../route.ts'
import { go } from '../router.tsx'
import { inboxPath } from '../state/view.ts'
import { t } from '../words/translate.ts'

/** One line of the palette that is not a request. */
export interface Command {
  readonly says: string
  /** As help shows it; null where it has no key. */
  readonly key: string | null
  run(): void
}

/** What can be done on this page: the views of the inbox, and every key that does something by itself. */
export function commandsOn(page: Route['page']): Command[] {
  const views: Command[] = [
    { says: t('Urgent'), key: null, run: () => go(inboxPath({ view: 'urgent' })) },
    { says: t('Waiting'), key: null, run: () => go(inboxPath({ view: 'waiting' })) },
    { says: t('Snoozed'), key: null, run: () => go(inboxPath({ view: 'snoozed' })) },
  ]
  const keys = allKeys.filter(key => worksOn(key, page)).map(commandOf)
  return [...keys, ...views]
}

/** All words, in upper or lower case. */
export function matching(commands: readonly Command[], search: string): Command[] {
  const words = search.toLocaleLowerCase().split(/\s+/u).filter(Boolean)
  return commands.filter(({ says }) => words.every(word => says.toLocaleLowerCase().includes(word)))
}

const inList: ReadonlySet<Route['page']> = new Set(['inbox', 'request'])

function worksOn({ key, where }: Key, page: Route['page']): boolean {
  // These belong to a text, a row or a number that a palette does not know.
  if (/^(Ctrl|Enter|\d|↑)/.test(key)) return false
  if (where === 'list') return inList.has(page)
  if (where === 'review') return page === 'request' && document.querySelector('[class*="review"]') !== null
  return where === 'everywhere' || page === 'request'
}

function commandOf({ key, says }: Key): Command {
  return { says: t(says), key, run: () => press(key) }
}

/** Presses the key for the person: what it does is said once, where it is handled. */
function press(keys: string): void {
  const isShifted = keys.startsWith('Shift ')
  for (const name of keys.replace('Shift ', '').split(' ')) {
    const key = name === 'Esc' ? 'Escape' : isShifted ? name : name.toLowerCase()
    window.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: isShifted, bubbles: true, cancelable: true }))
  }
}
