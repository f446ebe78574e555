const context = 'The service keeps orders and their history. Writes are few, reads are many. '.repeat(4)

/** About 350 bytes, the same for everybody. */
export function questionOf(n) {
  return `Which database should service ${n} use in production? ${context}`
}
