import { harmless, harmlessTitle } from '../text/harmless.ts'
import { type Line, line } from '../text/styled.ts'
import { cut } from '../text/width.ts'
import { type Editor, edit, editorOf } from './editor.ts'
import { isEnter, type Key, readKeys, withoutLineBreak } from './keys.ts'
import { openLines } from './plain/read-lines.ts'
import { inRows } from './rich/footer.ts'
import { openInline } from './screen.ts'
import { columnsOf, isRich, rowsOf, type Terminal } from './terminal.ts'
import { lockTerminal } from './terminal-lock.ts'

// Without job control nothing stops us, and nothing would continue us.
const continueAfter = 200

export interface PickOptions {
  readonly title: string
  /** Each is one line, with its columns aligned; the first is selected. */
  readonly rows: readonly string[]
  /** For each row, the text that the filter looks at, where the row shows only a part of it. */
  readonly searched?: readonly string[]
  readonly plain: boolean
  readonly signal: AbortSignal
}

/** The index of the row that the person picked; null if they picked none. */
export async function pick(terminal: Terminal, options: PickOptions): Promise<number | null> {
  const unlock = await lockTerminal(terminal, options.signal)
  if (!unlock) return null
  try {
    return options.plain || !isRich(terminal)
      ? await pickInLines(terminal, options)
      : await pickInFrame(terminal, options)
  } finally {
    unlock()
  }
}

/** Arrows move, typing narrows the list, Enter picks, Esc leaves. */
async function pickInFrame(
  terminal: Terminal,
  { title, rows, searched = rows, signal }: PickOptions,
): Promise<number | null> {
  const screen = openInline(terminal)
  const ended = Promise.withResolvers<number | null>()
  const names = rows.map(harmless)
  let filter: Editor = editorOf('')
  let selected = 0
  const onAbort = () => ended.resolve(null)
  signal.addEventListener('abort', onAbort, { once: true })
  terminal.output.on('resize', draw)
  process.on('SIGCONT', onContinue)
  let over = false
  let stopKeys = () => {}
  resume()
  try {
    return await ended.promise
  } finally {
    over = true
    signal.removeEventListener('abort', onAbort)
    terminal.output.off('resize', draw)
    process.off('SIGCONT', onContinue)
    stopKeys()
    screen.close()
  }

  function resume() {
    stopKeys()
    stopKeys = readKeys(terminal, onKey, onAbort)
    draw()
  }

  /** While we were stopped, another prompt may have taken the terminal. */
  function onContinue() {
    lockTerminal(terminal, signal).then(() => over || resume())
  }

  function suspend() {
    stopKeys()
    screen.close()
    // The whole process group, as the terminal would: a script that called us stops with us.
    process.kill(0, 'SIGTSTP')
    setTimeout(() => over || onContinue(), continueAfter)
  }

  function onKey(key: Key) {
    if (key.ctrl && key.name === 'z' && !key.pasted) return suspend()
    const found = matching(searched, filter.text)
    if (key.name === 'escape' || (key.ctrl && (key.name === 'c' || key.name === 'd'))) ended.resolve(null)
    else if (isEnter(key)) choose(found[selected])
    else if (key.name === 'up') selected = Math.max(0, selected - 1)
    else if (key.name === 'down') selected = Math.max(0, Math.min(found.length - 1, selected + 1))
    else {
      filter = edit(filter, withoutLineBreak(key)) ?? filter
      selected = 0
    }
    draw()
  }

  function choose(index: number | undefined) {
    if (index !== undefined) ended.resolve(index)
  }

  function draw() {
    const columns = columnsOf(terminal)
    const found = matching(searched, filter.text)
    const keys = ['↑↓ move', 'type to narrow', 'Enter choose', 'Esc leave']
    const keyRows = (more: number) => inRows([...keys, ...(more > 0 ? [`${more} more`] : [])], columns - 2)
    const room = Math.max(1, rowsOf(terminal) - 3 - keyRows(found.length).length)
    const first = Math.max(0, Math.min(selected - Math.floor(room / 2), found.length - room))
    const lines: Line[] = found.slice(first, first + room).map((index, i) => {
      const isSelected = first + i === selected
      return line(cut(`${isSelected ? '❯' : ' '} ${names[index]}`, columns), ...(isSelected ? (['cyan'] as const) : []))
    })
    const more = found.length - lines.length
    const typed = cut(`  ${filter.text}`, columns - 1)
    screen.draw({
      lines: [
        line(cut(title, columns), 'bold'),
        ...(found.length > 0 ? lines : [line('  Nothing matches.', 'dim')]),
        line(typed),
        ...keyRows(more).map(row => line(`  ${row}`, 'dim')),
      ],
      cursor: { row: 1 + Math.max(1, lines.length), column: Math.min(columns - 1, 2 + filter.at) },
    })
  }
}

/** Every word of the filter is in the row. */
function matching(rows: readonly string[], filter: string): number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.flatMap((row, i) => (words.every(word => row.toLowerCase().includes(word)) ? [i] : []))
}

async function pickInLines(terminal: Terminal, { title, rows, signal }: PickOptions): Promise<number | null> {
  const lines = await openLines(terminal, signal)
  try {
    const list = rows.map((row, i) => `${i + 1}. ${harmless(row)}`)
    terminal.output.write(`${[title, ...list].join('\n')}\n`)
    for (;;) {
      const entered = await lines.next('Enter a number, or nothing to leave: ')
      if (entered === null || entered.text.trim() === '') return null
      const number = Number(entered.text.trim())
      if (rows[number - 1] !== undefined) return number - 1
      terminal.output.write(`There is no ${harmlessTitle(entered.text.trim())} in the list.\n`)
    }
  } finally {
    await lines.close()
  }
}
