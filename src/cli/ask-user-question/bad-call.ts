import type { Problem } from '../../protocol/errors.ts'

/** A call with wrong arguments or JSON. Its lines are printed as the command's document has them. */
export class BadCall extends Error {
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines[0])
    this.lines = lines
  }
}

const usage = `Usage: AskUserQuestion '{"questions":[...]}'`

export function missingJson(): BadCall {
  return new BadCall(['Error: Missing JSON parameter', usage])
}

export function invalidJson(): BadCall {
  return new BadCall(['Error: Invalid JSON format', usage])
}

export function validationFailed(problems: readonly Problem[]): BadCall {
  const lines = problems.map(({ path, message }) => (path ? `- ${path}: ${message}` : `- ${message}`))
  return new BadCall(['Error: Validation failed', ...lines])
}

export function badUsage(what: string): BadCall {
  return new BadCall([`Error: ${what}`, `${usage} | - | --file F | --wait ID   See: AskUserQuestion --help`])
}
