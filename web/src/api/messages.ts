import type { Request } from '../../../src/protocol/request.ts'
import { call } from './call.ts'

/** A message to the asker. It settles nothing. */
export function sendMessage(id: string, text: string): Promise<Request> {
  return call('messages.send', [id, { text }])
}
