/** A living process as the system lists it. Zombies are not listed: all that is left of them is an exit status. */
export interface Process {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** In the system's own units, to be compared and not to be read. */
  readonly startedAt: string
  readonly stopped: boolean
  /** Whether `BECKON_RUN` named this run when the process was started; false where that cannot be seen. */
  carries(run: string): boolean
  /** A variable that the process was started with; null where it has none, or its environment cannot be read. */
  variable(name: string): string | null
  /** Whether this file is among what it was started with. */
  runs(program: string): boolean
}

export interface ProcessTable {
  /** One by one as they are read, so that each can be looked at before it is gone. */
  list(): Iterable<Process>
  look(pid: number): Process | null
  /** Changes whenever the machine starts: process numbers and start times mean nothing beyond that. */
  boot(): string
  /** Whether `look` is much cheaper than `list`. */
  readonly looksFast: boolean
}
