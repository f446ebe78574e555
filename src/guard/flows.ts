import type { Call } from './call.ts'
import type { Reading } from './reading/reading.ts'

/** From where to where: secrets to the network. */
export function checkFlows(_call: Call, _reading: Reading): void {}
