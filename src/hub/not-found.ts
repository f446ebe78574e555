import { BeckonError } from '../protocol/index.ts'

// Written out, because the page translates these texts and a test looks for them here.
const messages = {
  checkpoint: (id: string) => `There is no checkpoint ${id}.`,
  request: (id: string) => `There is no request ${id}.`,
  rule: (id: string) => `There is no rule ${id}.`,
  run: (id: string) => `There is no run ${id}.`,
  target: (name: string) => `There is no target ${name}.`,
}

export function notFound(noun: keyof typeof messages, id: string): BeckonError {
  return new BeckonError('not_found', messages[noun](id))
}
