import type { Severity, Verdict } from '../../protocol/verdict.ts'
import type { Call } from '../call.ts'
import type { Arg } from '../interpret/values.ts'
import type { Grammar } from '../options.ts'

/**
 * How to write a rule
 * -------------------
 * A file per domain (`git.ts`, `databases.ts` …) exports one `Domain`: the grammar of its programs, and its rules.
 *
 * A rule sees one *call*: a program and its arguments as they are after the shell and all wrappers were understood.
 * `sudo sh -c "cd /x && r''m -rf $HOME"` is, for a rule, `rm` with `-r`, `-f` and `/home/me`, in the directory `/x`.
 * So never look at text, never think of quotes, `sudo`, pipes, `bash -c`, `xargs`, `ssh`, base64: ask the call.
 *
 *   {
 *     id: 'git/push-force',
 *     program: 'git',
 *     sub: 'push',                              the first operands: 'push', 'stash drop', ['branch', 'tag']
 *     any: ['--force', '-f'],                   one of these options is there
 *     severity: 'high',
 *     reason: 'overwrites what others have pushed',
 *     safer: 'git push --force-with-lease',     must itself not trip any rule more severe than this one (a test looks)
 *     match: ['git push -f origin main'],       both run in the tests; write disguises and look-alikes
 *     notMatch: ['git push origin feature'],
 *   }
 *
 * All conditions that are given must hold; there is one `or` only, between the entries of a list. What they cannot say,
 * `when` says: a function of the call (see src/guard/call.ts for what it can be asked). A rule never fires when the call has
 * `--help`, `--version` or `--dry-run`; other flags that make it harmless go into `none`.
 *
 * Which options take a value must be known, or the value is taken for an operand: that is the grammar, see
 * src/guard/options.ts.
 *
 * Verdicts: `ask`, unless `verdict: 'deny'` (only what nobody ever means: `rm -rf /`). Severities: `low` is a nuisance to undo,
 * `medium` costs work, `high` loses data or exposes something, `critical` loses what no backup of the workspace brings back.
 */
export interface Rule {
  id: string
  program: string | readonly string[]
  sub?: string | readonly string[]
  any?: readonly string[]
  all?: readonly string[]
  none?: readonly string[]
  /** At least one operand (after `sub`) is like this; that one is what a person is shown. */
  operand?: (operand: Arg, call: Call) => boolean
  /** Anything else. An argument as the answer is what a person is shown. */
  when?: (call: Call) => boolean | Arg
  verdict?: Exclude<Verdict['verdict'], 'allow'>
  severity: Exclude<Severity, 'none'>
  reason: string
  safer?: string
  match: readonly string[]
  notMatch: readonly string[]
}

export interface Domain {
  name: string
  grammar: Readonly<Record<string, Grammar>>
  rules: readonly Rule[]
}
