import { harmlessLines } from './harmless.ts'

export interface HarmlessStream {
  push(bytes: Uint8Array | string): string
  /** What is left at the end. */
  end(): string
}

/**
 * Makes the output of an agent harmless as it comes: keeps line breaks and tabs, and shows everything else that a terminal
 * would act on. A character or line break that one piece cuts in two is completed by the next.
 */
export function createHarmlessStream(): HarmlessStream {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let held = ''
  return {
    push(bytes) {
      const text = held + (typeof bytes === 'string' ? bytes : decoder.decode(bytes, { stream: true }))
      // Half of a line break, or half of a character in UTF-16.
      held = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? ''
      return harmlessLines(text.slice(0, text.length - held.length))
    },
    end() {
      const rest = held + decoder.decode()
      held = ''
      return harmlessLines(rest)
    },
  }
}
