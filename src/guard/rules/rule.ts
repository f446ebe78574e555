import type { Severity, Verdict } from '../../protocol/verdict.ts'
import type { GitState } from '../git-state.ts'
import type { Argument } from '../interpret/arguments.ts'
import type { Grammar } from '../parse-args.ts'
import type { ProgramCall } from '../program-call.ts'

/**
 * How to write a rule
 * -------------------
 * A folder per domain (`git/`, `databases/` …) exports one `Domain`: the grammar of its programs, and its rules.
 *
 * A rule sees one *call*: a program and its arguments after the shell and all wrappers are resolved. For a rule,
 * `sudo sh -c "cd /x && r''m -rf $HOME"` is `rm` with `-r`, `-f` and `/home/me`, in the directory `/x`. A rule therefore
 * never looks at text and never handles quotes, `sudo`, pipes, `bash -c`, `xargs`, `ssh` or base64: it asks the call.
 *
 *   {
 *     id: 'git/push-force',                     permanent: users' rules and stored requests refer to it
 *     program: 'git',
 *     sub: 'push',                              the first operands: 'push', 'stash drop', ['branch', 'tag']
 *     any: ['--force', '-f'],                   one of these options is given
 *     severity: 'high',
 *     reason: 'overwrites history that others have',    what the command does: third person, present tense, no full stop
 *     safer: 'git push --force-with-lease',     a command that this rule does not match (a test checks)
 *     match: ['git push -f origin main'],       examples that run in the tests: disguises …
 *     notMatch: ['git push origin feature'],    … and look-alikes
 *   }
 *
 * All given conditions must hold; the entries of a list are alternatives. `when`, a function of the call, expresses anything
 * else (see src/guard/program-call.ts). A rule never matches a call with `--help`, `--version` or `--dry-run`; other flags
 * that make the call harmless go into `none`.
 *
 * Two conditions are about the caller. `strict` holds where every recursive or forced delete is to be asked about. `git` lists
 * what git must say about the operand; no rule with it matches where the caller does not know. Examples run with both.
 *
 * The grammar (see src/guard/parse-args.ts) says which options take a value; without it, the value looks like an operand.
 *
 * The verdict is `ask`, or `deny` for what no one ever means (`rm -rf /`). Severities: `low` is easy to undo, `medium` costs
 * work, `high` loses data or exposes something, `critical` loses what no backup of the workspace can restore.
 */
export interface GuardRule {
  id: string
  /** `*` is every program, redirects included. */
  program: string | readonly string[]
  sub?: string | readonly string[]
  any?: readonly string[]
  all?: readonly string[]
  none?: readonly string[]
  /** Finds an operand after `sub`; the first one found is highlighted for the person. */
  operand?: (operand: Argument, call: ProgramCall) => boolean
  /** How git must hold the operand that is found. */
  git?: readonly GitState[]
  /** Only where the guard is strict. */
  strict?: true
  /** Any other condition. If it returns an argument, that argument is highlighted for the person. */
  when?: (call: ProgramCall) => boolean | Argument
  verdict?: Exclude<Verdict['verdict'], 'allow'>
  severity: Exclude<Severity, 'none'>
  reason: string
  safer?: string
  match: readonly string[]
  notMatch: readonly string[]
}

/** How each program of a domain reads its arguments, by the program's name. */
export type Grammars = Readonly<Record<string, Grammar>>

export interface Domain {
  name: string
  grammar: Grammars
  rules: readonly GuardRule[]
}
