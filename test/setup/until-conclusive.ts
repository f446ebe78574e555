const mostAttempts = 10

/**
 * Repeats an experiment that a busy machine can make prove nothing, such as a crash test in which nobody got to work
 * before the kill. What is still inconclusive after ten attempts has failed.
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
