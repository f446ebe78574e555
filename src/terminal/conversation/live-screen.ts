import { redrawOnce } from '../redraw.ts'
import { type Frame, openInline } from '../screen.ts'
import { columnsOf, rowsOf, type Terminal } from '../terminal.ts'
import { Activity } from './activity.ts'
import { Transcript } from './transcript.ts'

export interface LiveScreenOptions {
  /** How to stop what is going on. */
  readonly stopKey: string
  /** What is always at the bottom. */
  bottom?(columns: number, rows: number): Frame
}

const spinEvery = 80

/**
 * A transcript that is printed into the terminal's own scrollback and never redrawn. Below it are the end of the current
 * reply, what the agent does, and the bottom.
 */
export function openLiveScreen(terminal: Terminal, { stopKey, bottom = () => nothing }: LiveScreenOptions) {
  const screen = openInline(terminal)
  const activity = new Activity(stopKey)
  // One drawing for everything that happens in one go: several keys, or a piece of a reply.
  const redraw = redrawOnce(draw)
  const transcript = new Transcript({ activity, columns: () => columnsOf(terminal), changed: redraw })
  let isShown = false
  let spinning: NodeJS.Timeout | null = null
  return { transcript, show, hide, close, redraw }

  function show() {
    if (isShown) return
    isShown = true
    terminal.output.on('resize', redraw)
    spinning = setInterval(() => activity.isWorking && redraw(), spinEvery)
    draw()
  }

  /** Removes everything that moves. What is new meanwhile is printed afterwards. */
  function hide({ gap = false } = {}) {
    if (!isShown) return
    if (gap) transcript.leaveGap()
    print()
    isShown = false
    terminal.output.off('resize', redraw)
    if (spinning) clearInterval(spinning)
    screen.close()
    // Something else is printed next.
    transcript.startPart()
  }

  /** Leaves the transcript. */
  function close() {
    hide()
    redraw.cancel()
    print()
  }

  function draw() {
    redraw.cancel()
    if (!isShown) return
    print()
    const columns = columnsOf(terminal)
    const rows = rowsOf(terminal) - 1
    const below = bottom(columns, rows)
    const room = Math.max(0, rows - below.lines.length)
    const moving = [...transcript.open(columns), ...activity.lines(columns)]
    const above = moving.slice(Math.max(0, moving.length - room))
    const cursor = below.cursor && { ...below.cursor, row: below.cursor.row + above.length }
    screen.draw({ lines: [...above, ...below.lines], cursor })
  }

  function print() {
    const lines = transcript.take()
    if (lines.length > 0) screen.leave(lines)
  }
}

const nothing: Frame = { lines: [], cursor: null }
