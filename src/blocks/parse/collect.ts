import type { Reading } from '../items.ts'

/** The values of all readings, or all their problems at once, so that an agent can mend its block in one go. */
export function gather<Values extends object>(
  problems: readonly string[],
  readings: { [Name in keyof Values]-?: Reading<Values[Name]> },
): Reading<Values> {
  const entries = Object.entries<Reading<unknown>>(readings)
  const found = [...problems, ...entries.flatMap(([, { problem }]) => (problem === undefined ? [] : [problem]))]
  if (found.length > 0) return { problem: found.join('; ') }
  return { value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])) as Values }
}
