/** The content of a request to the model, independent of the wire format. */
export interface Seen {
  wire: 'anthropic' | 'responses' | 'chat' | 'google'
  system: string
  tools: string[]
  toolChoice: unknown
  items: Item[]
  /** The images of all messages, as data URLs. */
  images: string[]
  /** The length of the request in characters. */
  size: number
}

export type Item =
  | { type: 'user' | 'assistant'; text: string }
  | { type: 'call'; id: string; name: string; input: unknown }
  | { type: 'result'; id: string; output: string; failed: boolean }

export interface ScriptedReply {
  text?: string
  calls?: { id?: string; name: string; input: unknown }[]
  /** What the provider counts; null if it does not count at all. */
  usage?: { input?: number; output?: number } | null
  /** Return an HTTP error instead. */
  status?: number
  headers?: Record<string, string>
  /** Never answer. */
  hang?: boolean
  /** Milliseconds to wait between two events of the stream. */
  pause?: number
}

export interface Wire {
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: any body that a client sends
  read(body: any): Seen
  write(reply: ScriptedReply, count: number): Iterable<string>
}

export function callsOf(reply: ScriptedReply, count: number) {
  return (reply.calls ?? []).map(({ id, name, input }, i) => ({ id: id ?? `call_${count}_${i}`, name, input }))
}

const usually = { input: 100, output: 10 }

export function usageOf({ usage = usually }: ScriptedReply): { input?: number; output?: number } | null {
  return usage
}

/** Splits a text into pieces, as models send it. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,24}/gu) ?? []
}

/** Finds what every provider refuses: a call without a result, a result without a call, or either of them twice. */
export function findInvalidItems(items: readonly Item[]): string[] {
  const wrong: string[] = []
  const open = new Set<string>()
  const known = new Set<string>()
  for (const item of items) {
    if (item.type === 'call') {
      if (known.has(item.id)) wrong.push(`call ${item.id} twice`)
      known.add(item.id)
      open.add(item.id)
    } else if (item.type === 'result') {
      if (!open.delete(item.id)) wrong.push(`result ${item.id} without a call, or twice`)
    } else if (open.size > 0) wrong.push(`${item.type} text before the results of ${[...open].join(', ')}`)
  }
  if (open.size > 0) wrong.push(`no results of ${[...open].join(', ')}`)
  if (items[0]?.type !== 'user') wrong.push('the first message is not from the user')
  return wrong
}
