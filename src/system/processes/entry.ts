/** A living process as the system lists it. Zombies are not listed: all that is left of them is an exit status. */
export interface Process {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly leadsSession: boolean
  /** In the system's own units: for comparing, not for reading. */
  readonly startedAt: string
  readonly stopped: boolean
  /** Whether the process was started with this run as `BECKON_RUN`; false where the environment cannot be read. */
  carries(run: string): boolean
  /** A variable that the process was started with; null where it has none, or its environment cannot be read. */
  variable(name: string): string | null
  /** Whether the process is Node running this file. */
  runs(program: string): boolean
  /** Its program and arguments; on macOS split at spaces, with its environment behind them. */
  words(): string[]
  /** The name of its program, for people; of the script where an interpreter runs one. Harmless to show. */
  name(): string
}

export interface ProcessTable {
  /** Yields each process as it is read, so that the caller can look at it before it is gone. */
  list(): Iterable<Process>
  look(pid: number): Process | null
  /** Changes whenever the machine starts: pids and start times mean nothing beyond that. */
  boot(): string
  /** The device number of this process's controlling terminal; null where there is none, or the system does not say. */
  terminal(): number | null
  /** Whether `look` is much cheaper than `list`. */
  readonly looksFast: boolean
  /** Whether `session` is the session itself, and not the process group. */
  readonly tellsSessions: boolean
}
