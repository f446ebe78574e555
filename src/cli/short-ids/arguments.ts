import { Argument, Option } from 'commander'
import type { IdNoun } from '../../protocol/short-id.ts'

/** An argument that is the id of something. People may give its end alone. */
export class IdArgument extends Argument {
  readonly noun: IdNoun

  constructor(name: string, description: string, noun: IdNoun = 'request') {
    super(name, description)
    this.noun = noun
  }
}

/** An option whose value is such an id. */
export class IdOption extends Option {
  readonly noun: IdNoun

  constructor(flags: string, description: string, noun: IdNoun = 'run') {
    super(flags, description)
    this.noun = noun
  }
}
