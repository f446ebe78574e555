import { exactText } from '../../protocol/text.ts'

/** Text that is more than spaces. It is not trimmed here, so that its JSON Schema says that it is a string. */
export const filled = exactText

/** Filled text on one line. */
export function oneLine(max: number) {
  return exactText(max).refine(value => !/[\r\n\u2028\u2029]/.test(value.trim()), 'must be a single line')
}
