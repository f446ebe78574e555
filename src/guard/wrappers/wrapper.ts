/** How a program that starts another one reads its own arguments, up to where the other command starts. */
export interface Wrapper {
  /** The subcommand that wraps: `exec` of `docker exec`. */
  sub?: string
  /** Its other subcommands; any other first operand is a program to run. */
  ownSubcommands?: readonly string[]
  /** Options with a value. */
  values?: readonly string[]
  /** Operands before the command: `timeout 5s`, `chroot DIR`, `ssh HOST`. */
  skip?: number
  /** NAME=value may come before the command. */
  assignments?: boolean
  /** The command starts after `--`, and only there. */
  afterDashes?: boolean
  /** The rest is one piece of shell code: `ssh host "a; b"`, `watch a b`. */
  joined?: boolean
  /** Options whose value is shell code. */
  code?: readonly string[]
  /** The program that reads the rest: `k3s kubectl get pods`. */
  runsAs?: string
  /** The operand before the command is an image or a service, which may start a program of the same name. */
  image?: boolean
  /** Every operand is a separate piece of shell code. */
  eachOperand?: boolean
  /** It runs on another machine or in a container, with other paths. */
  isRemote?: boolean
  /** It runs on another machine, not in a container here. */
  isMachine?: boolean
  asRoot?: boolean
  /** Options whose value is a variable to remove, and options that remove them all. */
  unsets?: readonly string[]
  clears?: readonly string[]
  /** Options whose value is the directory to run in. */
  directory?: readonly string[]
}

export type Wrappers = Readonly<Record<string, Wrapper | readonly Wrapper[]>>

/** A wrapper whose own options take no values. */
export const plain: Wrapper = {}

/** For `skip`: no operand is a command, only options hold code. */
export const everyOperand = 99
