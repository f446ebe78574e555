const mostAttempts = 10

/**
 * Repeats an experiment that can be inconclusive on a busy machine, such as a crash test in which no process did any
 * work before the kill. It fails if it is still inconclusive after ten attempts.
 */
export async function untilConclusive<Result>(
  experiment: () => Promise<Result>,
  isConclusive: (result: Result) => boolean,
): Promise<Result> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const result = await experiment()
    if (isConclusive(result)) return result
  }
  throw new Error(`The experiment proved nothing in ${mostAttempts} attempts.`)
}
