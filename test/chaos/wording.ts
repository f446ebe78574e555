// How the processes of the test word what they send, so that the model knows it again.

export function questionOf(key: string): string {
  return `What about ${key}?`
}

/** The text of the answer that counts: answerers put it into the note of an approval, where a value must be yes or no. */
export function textOf(outcome: unknown): string | null {
  const { answers, note, reason } = (outcome ?? {}) as {
    answers?: { text: string | null }[]
    note?: string | null
    reason?: string | null
  }
  return note ?? reason ?? answers?.[0]?.text ?? null
}
