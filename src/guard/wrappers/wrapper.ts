/** How a program that starts another one reads its own arguments, up to where the other one begins. */
export interface Wrapper {
  /** `docker exec`: the subcommands that wrap. */
  sub?: string
  /** Own subcommands: where the first operand is another word, it is a program that is run. */
  ownSubcommands?: readonly string[]
  /** Options with a value. */
  values?: readonly string[]
  /** Operands before the command: `timeout 5s`, `chroot DIR`, `ssh HOST`. */
  skip?: number
  /** NAME=value may come before the command. */
  assignments?: boolean
  /** The command begins after `--` wherever that is, and nowhere else. */
  afterDashes?: boolean
  /** All that is left is one piece of shell code: `ssh host "a; b"`, `watch a b`. */
  joined?: boolean
  /** Options whose value is shell code. */
  code?: readonly string[]
  /** The program that reads what is left: `k3s kubectl get pods`. */
  runsAs?: string
  /** The operand before the command is an image or a service, which may start a program of its name. */
  image?: boolean
  /** Every operand is shell code of its own. */
  eachOperand?: boolean
  /** Another machine or a container: other paths, another directory. */
  isRemote?: boolean
  asRoot?: boolean
  /** An option whose value is the directory. */
  directory?: readonly string[]
}

export type Wrappers = Readonly<Record<string, Wrapper | readonly Wrapper[]>>

/** A wrapper whose own options take no values. */
export const plain: Wrapper = {}

/** For `skip`: no operand is a command, only options hold code. */
export const everyOperand = 99
