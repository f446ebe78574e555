/** Says which numbers there are, to somebody who pressed another one. */
export function noSuchOption(number: string, count: number): string {
  const choices = count === 1 ? 'There is only option 1.' : `Enter a number from 1 to ${count}.`
  return number === '0'
    ? `An answer of your own is not possible here. ${choices}`
    : `There is no option ${number}. ${choices}`
}
