import { BeckonError } from '../../protocol/errors.ts'

/** What lists the things of each kind that there are. */
const listCommands = {
  request: 'beckon list --all',
  run: 'beckon runs --all',
  checkpoint: 'beckon runs checkpoints RUN',
} as const

/** What a person can do about an error that a hub, which knows no commands, put into words. */
export function nextStep(error: unknown): string {
  if (!(error instanceof BeckonError) || error.code !== 'not_found') return ''
  const [, noun] = /^There is no (request|run|checkpoint) \S+\.$/.exec(error.message) ?? []
  return noun === undefined ? '' : ` To see which there are: ${listCommands[noun as keyof typeof listCommands]}`
}
