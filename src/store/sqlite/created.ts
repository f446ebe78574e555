let created = false

/** Whether this process has created a database. Here, so that a command need not load what creates one. */
export function hasCreatedDatabase(): boolean {
  return created
}

export function noteCreatedDatabase(): void {
  created = true
}
