import type { Command } from 'commander'
import { BeckonError } from '../../protocol/errors.ts'
import type { FoundId, IdNoun } from '../../protocol/short-id.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import type { Context } from '../context.ts'
import { withHub } from '../with-hub.ts'
import { IdArgument, IdOption } from './arguments.ts'
import { pickRequest } from './pick-request.ts'

// Whole ids begin with `req_`, `run_` or `chk_`: everything else that could be the end of one is looked up.
const wholeId = /^[a-z]+_/
const endOfId = /^[0-9a-z]{3,40}$/i

/** Replaces the ends of ids, among the arguments of a command, with the whole ids; a person picks a missing one. */
export async function completeIds(command: Command, context: Context): Promise<void> {
  for (const [i, argument] of command.registeredArguments.entries()) {
    const given = command.args[i]
    if (!(argument instanceof IdArgument)) continue
    if (given === undefined) command.processedArgs[i] = await pickRequest(command, context)
    else if (isShort(given)) command.processedArgs[i] = await wholeIdOf(context, given, argument.noun)
  }
  for (const option of command.options) {
    const name = option.attributeName()
    const given: unknown = command.getOptionValue(name)
    if (option instanceof IdOption && isShort(given))
      command.setOptionValue(name, await wholeIdOf(context, given, option.noun))
  }
}

function isShort(given: unknown): given is string {
  return typeof given === 'string' && endOfId.test(given) && !wholeId.test(given)
}

async function wholeIdOf(context: Context, end: string, noun: IdNoun): Promise<string> {
  const found = await withHub(context, hub => hub.findIds({ end, of: noun }), { sweeps: false })
  const [first, ...more] = found
  if (first && more.length === 0) return first.id
  if (first) throw new AmbiguousId(end, noun, found)
  throw new BeckonError('not_found', `There is no ${noun} ${end}.`)
}

const mostShown = 10

/** The end of an id that several have. Its lines say which. */
export class AmbiguousId extends BeckonError {
  readonly lines: string[]

  constructor(end: string, noun: IdNoun, found: readonly FoundId[]) {
    super('invalid', `${found.length} ${noun}s end with ${end}. Give more of the id.`, { candidates: found })
    const shown = found.slice(0, mostShown)
    this.lines = shown.map(({ id, title, status }) => {
      const state = status === null ? '' : `  ${status}`
      return `  ${id}${state}  ${cut(harmlessTitle(title), 60)}`
    })
    if (found.length > shown.length) this.lines.push(`  … and ${found.length - shown.length} more`)
  }
}
