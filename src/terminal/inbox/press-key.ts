import { edit, editorOf } from '../editor.ts'
import { isEnter, type Key, withoutLineBreak } from '../keys.ts'
import { answerAgain } from '../last-answer.ts'
import { snoozeTimes } from '../snooze-times.ts'
import { type Effect, type Inbox, requestsOf } from './inbox.ts'

const page = 10

/**
 * What a key does, depending on the focus. Requests are settled only by an Enter that was pressed once and not pasted:
 * after a number, `s` or `l`, or after a reason. Ctrl-C always quits.
 */
export function pressKey(inbox: Inbox, key: Key): Effect | null {
  if (key.ctrl && key.name === 'c' && !key.pasted) return 'quit'
  if (inbox.isIgnoringKeys()) return null
  const effect = inbox.atKey(() => press(inbox, key))
  inbox.list.see()
  return effect
}

function press(inbox: Inbox, key: Key): Effect | null {
  switch (inbox.focus) {
    case 'list':
      return pressInList(inbox, key)
    case 'filter':
      return pressInFilter(inbox, key)
    case 'facets':
      return pressInFacets(inbox, key)
    case 'answer':
      return pressInAnswer(inbox, key)
    case 'skip':
    case 'last':
      return pressInConfirmation(inbox, key)
    case 'text':
    case 'decline':
    case 'message':
      return pressInEditor(inbox, key)
    case 'snooze':
      return pressInSnooze(inbox, key)
    case 'help':
      return key.pasted || scrolls(inbox, key) ? null : inbox.setFocus('list')
  }
}

function pressInList(inbox: Inbox, key: Key): Effect | null {
  // Pasted text is not a command.
  if (key.pasted) return null
  const { list } = inbox
  const name = keyName(key)
  const by = moves[name]
  if (by !== undefined) return inbox.move(by)
  if (/^[0-9]$/.test(name)) return inbox.answer(Number(name))
  switch (name) {
    case 'return':
      return list.selected ? { open: list.selected.request } : null
    case 'space':
      return inbox.mark()
    case 'a':
      return inbox.markAlike()
    case 's':
      return inbox.askToSkip()
    case 'd':
      return inbox.askForReason()
    case 'c':
      return inbox.askForMessage()
    case 'l':
      return inbox.askToAnswerAgain()
    case 'z':
      return inbox.askToSnooze()
    case 'Z':
      return inbox.toggleSnoozed()
    case 'n':
      return inbox.moveToNew()
    case 'r':
      return 'reload'
    case '/':
      return inbox.setFocus('filter')
    case 'f':
      return inbox.openFacets()
    case '?':
      return inbox.openHelp()
    case 'escape':
      return inbox.undoSelectionOrFilter() ? null : 'quit'
    case 'q':
      return 'quit'
    default:
      return null
  }
}

function pressInFilter(inbox: Inbox, key: Key): Effect | null {
  if (key.name === 'escape') {
    inbox.search(editorOf(''))
    return inbox.setFocus('list')
  }
  if (isEnter(key)) return inbox.setFocus('list')
  if (key.name === 'up' || key.name === 'down') return inbox.move(key.name === 'up' ? -1 : 1)
  return inbox.search(edit(inbox.filter, withoutLineBreak(key)) ?? inbox.filter)
}

function pressInFacets(inbox: Inbox, key: Key): Effect | null {
  if (key.pasted) return null
  const by = moves[keyName(key)]
  if (by !== undefined) {
    inbox.facet = Math.min(Math.max(inbox.facet + by, 0), inbox.facets.length)
    return null
  }
  return isEnter(key) ? inbox.narrow() : inbox.setFocus('list')
}

function pressInAnswer(inbox: Inbox, key: Key): Effect | null {
  // A number that is still held down is the one that chose.
  if (key.pasted || key.held || scrolls(inbox, key)) return null
  if (isEnter(key)) return inbox.takeAnswer()
  const name = keyName(key)
  return /^[0-9]$/.test(name) ? inbox.answerOtherwise(Number(name)) : inbox.setFocus('list')
}

function pressInConfirmation(inbox: Inbox, key: Key): Effect | null {
  const { focus, targets, last } = inbox
  // A letter that is still held down is the one that asked.
  if (key.pasted || key.text === (focus === 'skip' ? 's' : 'l')) return null
  inbox.focus = 'list'
  if (!isEnter(key)) return null
  if (focus === 'skip') return { settle: requestsOf(targets), by: { verb: 'skip', note: null } }
  return last ? { settle: requestsOf(targets), by: answerAgain(last) } : null
}

/** An answer, a reason to decline, or a message to the agent. */
function pressInEditor(inbox: Inbox, key: Key): Effect | null {
  if (key.name === 'escape') return inbox.setFocus('list')
  if (scrolls(inbox, key)) return null
  if (key.ctrl && key.name === 'g' && !key.pasted) return 'edit-outside'
  if (!isEnter(key)) {
    inbox.text = edit(inbox.text, key) ?? inbox.text
    return null
  }
  const text = inbox.text.text.trim()
  if (text === '') return inbox.showMessage(`${missing[inbox.focus]}, or press Esc to go back.`)
  if (inbox.focus === 'text') return inbox.takeAnswer()
  const requests = requestsOf(inbox.targets)
  const [request] = requests
  const declines = inbox.focus === 'decline'
  inbox.focus = 'list'
  if (declines) return { settle: requests, by: { verb: 'decline', reason: text } }
  return request ? { ask: request, text } : null
}

const missing: Partial<Record<Inbox['focus'], string>> = {
  text: 'Write an answer',
  decline: 'Enter a reason',
  message: 'Write a message',
}

function pressInSnooze(inbox: Inbox, key: Key): Effect | null {
  if (key.pasted || key.text === 'z' || scrolls(inbox, key)) return null
  inbox.focus = 'list'
  const time = snoozeTimes(inbox.now)[Number(key.text) - 1]
  return time ? { snooze: requestsOf(inbox.targets), until: time.until } : null
}

/** The help, and several titles, may be longer than the screen. */
function scrolls(inbox: Inbox, { name }: Key): boolean {
  if (name !== 'pageup' && name !== 'pagedown') return false
  inbox.scrolled = Math.max(0, inbox.scrolled + (name === 'pageup' ? -page : page))
  return true
}

const moves: Record<string, number> = {
  up: -1,
  k: -1,
  '^p': -1,
  down: 1,
  j: 1,
  '^n': 1,
  pageup: -page,
  pagedown: page,
  home: -Infinity,
  g: -Infinity,
  end: Infinity,
  G: Infinity,
}

function keyName({ name, text, ctrl, alt }: Key): string {
  if (ctrl) return `^${name}`
  // Alt with a letter is not that letter. A single Esc also has the Alt flag.
  if (alt && name.length === 1) return ''
  return text.trim() || name
}
