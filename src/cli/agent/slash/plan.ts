import type { SlashCommand } from './command.ts'

export const plan: SlashCommand = {
  name: '/plan',
  usage: '[off | what to do]',
  summary: 'change nothing before you have approved a plan',
  async run({ view, loop, takeTurn }, rest) {
    if (rest === 'off') {
      if (!loop.isPlanning()) view.note('Plan mode is off.')
      loop.setPlanning(false)
      return undefined
    }
    if (loop.isPlanning() && rest === '') view.note('Plan mode is on. /plan off ends it.')
    loop.setPlanning(true)
    if (rest !== '') await takeTurn(rest)
    return undefined
  },
}
