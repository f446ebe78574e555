import type { RewindTarget, Turn } from '../../../agent/journal/turns.ts'
import { harmlessTitle } from '../../../text/harmless.ts'
import type { SlashCommand, SlashContext } from './command.ts'

export const rewind: SlashCommand = {
  name: '/rewind',
  usage: '[number | undo]',
  summary: 'go back to before a message, with the files',
  async run(context, rest) {
    const { view, loop } = context
    // The latest first: /rewind 1 takes back the last message.
    const turns = loop.turns().toReversed()
    if (rest === 'undo') {
      const undo = loop.undoOfRewind()
      if (undo) await loop.rewind(undo)
      else view.note('Nothing was rewound yet.')
    } else if (turns.length === 0) view.note('There is nothing to go back to yet.')
    else {
      const turn = rest === '' ? await pickTurn(context, turns) : turns[Number(rest) - 1]
      if (turn) await goBack(context, turn)
      else if (rest !== '') view.note(`/rewind takes a number from 1 (the last message) to ${turns.length}, or undo.`)
    }
    return undefined
  },
}

async function goBack({ view, loop, offer }: SlashContext, { line, checkpoint, text }: Turn): Promise<void> {
  if (checkpoint === null)
    view.note('The files stay as they are: they were not saved, because this is not a git repository.')
  const target: RewindTarget = { to: line, checkpoint }
  await loop.rewind(target)
  offer(text)
}

async function pickTurn({ pick }: SlashContext, turns: readonly Turn[]): Promise<Turn | undefined> {
  const rows = turns.map(({ shown, at, checkpoint }) => {
    return `${timeOf(at)} ${harmlessTitle(shown).slice(0, 200)}${checkpoint ? '' : ' (without files)'}`
  })
  const index = await pick('Go back to before which message?', rows)
  return index === null ? undefined : turns[index]
}

/** In the person's time zone, to the minute. */
function timeOf(at: string): string {
  return new Date(at).toTimeString().slice(0, 5)
}
