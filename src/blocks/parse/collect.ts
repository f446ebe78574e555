import type { Parsed } from '../items.ts'

/** Returns all values, or all problems at once, so that an agent can correct its block in one go. */
export function collect<Values extends object>(
  problems: readonly string[],
  parsed: { [Name in keyof Values]-?: Parsed<Values[Name]> },
): Parsed<Values> {
  const entries = Object.entries<Parsed<unknown>>(parsed)
  const found = [...problems, ...entries.flatMap(([, { problem }]) => (problem === undefined ? [] : [problem]))]
  if (found.length > 0) return { problem: found.join('; ') }
  return { value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])) as Values }
}
