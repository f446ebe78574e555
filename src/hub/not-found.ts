import { BeckonError } from '../protocol/index.ts'

type Noun = 'attachment' | 'checkpoint' | 'pairing' | 'request' | 'rule' | 'run' | 'target' | 'token'

export function notFound(noun: Noun, id: unknown): BeckonError {
  return new BeckonError('not_found', `There is no ${noun} ${id}.`)
}
