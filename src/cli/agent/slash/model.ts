import { chooseModel } from '../../../agent/model/choose.ts'
import type { SlashCommand } from './command.ts'

export const model: SlashCommand = {
  name: '/model',
  usage: '[provider/name]',
  summary: 'show or change the model',
  async run({ view, loop, env }, rest) {
    const before = loop.status().model
    if (rest === '') {
      view.note(`The model is ${before}. Change it with: /model PROVIDER/NAME`)
      return undefined
    }
    loop.setModel(chooseModel(rest, env))
    const { model } = loop.status()
    view.note(model === before ? `The model is already ${model}.` : `The next reply comes from ${model}.`)
    return undefined
  },
}
