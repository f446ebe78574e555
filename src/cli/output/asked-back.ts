import type { Message } from '../../protocol/message.ts'
import type { Request } from '../../protocol/request.ts'
import { harmlessLines, harmlessTitle } from '../../text/harmless.ts'

/** The ticket of a request on which people ask back. */
export interface AskedBack {
  status: 'pending'
  id: string
  messages: Message[]
  /** The command that replies. */
  reply: string
  /** The command that carries the asker on. */
  resume: string
}

export function askedBackOn({ id }: Pick<Request, 'id'>, messages: Message[], resume: string): AskedBack {
  return { status: 'pending', id, messages, reply: `beckon reply ${id} "YOUR REPLY"`, resume }
}

/** For agents that read lines. The first words keep it from being taken for the answer. */
export function askedBackText({ id, messages, reply, resume }: AskedBack): string {
  const texts = messages.map(({ by, text }) => `${harmlessTitle(by)}: ${harmlessLines(text)}\n`)
  return [
    `Not an answer. A person asks back before they decide, and ${id} stays open:\n`,
    ...texts,
    `Reply:     ${reply}\nThen wait: ${resume}\n`,
  ].join('\n')
}
