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
  if (/^(Ctrl|Enter|\d|↑|←)/.test(key)) return false
  if (/^[A-Z]$/.test(key)) return hasVerb(key, where)
  return where === 'everywhere' || (where === 'list' ? inList.has(page) : page === 'request')
}

/** A verb is offered where its button is. While several requests are selected, it is theirs. */
function hasVerb(key: string, where: Key['where']): boolean {
  const isSelecting = document.querySelector('.selection-bar') !== null
  if (key !== 'U' && isSelecting !== (where === 'list')) return false
  // The other keys of a review do the same as on any request, or belong to a line.
  if (where === 'review' && key !== 'R') return false
  return document.querySelector(`[aria-keyshortcuts="${key.toLowerCase()}"]:enabled`) !== null
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
