import { costOf } from '../../../agent/model/prices.ts'
import { harmlessTitle } from '../../../text/harmless.ts'
import { describeUsage } from '../show-events.ts'
import type { SlashCommand } from './command.ts'

export const status: SlashCommand = {
  name: '/status',
  summary: 'show model, context and cost',
  async run({ view, loop, run, env }) {
    const { model, tokens, counted, limit, answers, files, usage } = loop.status()
    const price = costOf(model, usage, env)
    const rows = [
      `model     ${model}`,
      `context   ${tokens.toLocaleString('en')} of ${limit.toLocaleString('en')} tokens${counted ? '' : ' (estimated)'}`,
      `used      ${describeUsage(loop.status(), env)}`,
      ...(price?.asOf ? [`prices    of ${price.asOf}`] : []),
      `kept      ${answers} answers, ${files} file names`,
      `run       ${run.id}`,
      `folder    ${harmlessTitle(loop.folder)}`,
    ]
    view.note(rows.join('\n'))
    return undefined
  },
}
