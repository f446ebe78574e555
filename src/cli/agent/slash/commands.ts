import { describeEnd } from '../describe-end.ts'
import type { SlashCommand } from './command.ts'
import { context } from './context.ts'
import { listCommands } from './list.ts'
import { model } from './model.ts'
import { permissions } from './permissions.ts'
import { plan } from './plan.ts'
import { rewind } from './rewind.ts'
import { status } from './status.ts'

/** In the order of the help. */
export const slashCommands: readonly SlashCommand[] = [
  status,
  {
    name: '/show',
    summary: 'show the last output in full',
    key: { name: 'Ctrl-O', isPlainToo: false },
    async run({ showOutput }) {
      showOutput()
      return undefined
    },
  },
  {
    name: '/answer',
    summary: 'answer the open question',
    run: continueTurn,
  },
  {
    name: '/continue',
    summary: 'continue after a stop',
    run: continueTurn,
  },
  model,
  context,
  {
    name: '/compact',
    usage: '[what to keep]',
    summary: 'summarise the conversation now',
    async run({ view, loop, runStoppable }, rest) {
      view.note('Summarising …')
      await runStoppable('summarising', async signal => {
        if (await loop.compact(signal, rest)) return
        view.note(describeEnd(signal.aborted ? 'interrupted' : '') ?? 'There is nothing to summarise yet.')
      })
      return undefined
    },
  },
  plan,
  permissions,
  rewind,
  {
    name: '/reset',
    summary: 'start a new conversation',
    async run({ view, startOver }) {
      await startOver()
      view.note('Started a new conversation.')
      return undefined
    },
  },
  {
    name: '/help',
    summary: 'list the commands and the keys',
    async run({ view, isPlain }) {
      view.note(listCommands(slashCommands, isPlain))
      return undefined
    },
  },
  {
    name: '/exit',
    aliases: ['/quit'],
    summary: 'leave',
    key: { name: 'Ctrl-D', isPlainToo: true },
    run: async () => 'leave',
  },
]

async function continueTurn({ takeTurn }: { takeTurn(text: string): Promise<void> }): Promise<undefined> {
  await takeTurn('')
}
