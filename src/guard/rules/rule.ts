import type { Severity } from '../../protocol/severity.ts'
import type { Verdict } from '../../protocol/verdict.ts'
import type { Grammar } from '../parse-args.ts'
import type { Condition } from './condition.ts'
import type { Rewrite } from './rewrite.ts'

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
 *     rewrite: { replace: { '--force': '--force-with-lease' } },    the same for the person's own line, see rewrite.ts
 *     match: ['git push -f origin main'],       examples that run in the tests: disguises …
 *     notMatch: ['git push origin feature'],    … and look-alikes
 *   }
 *
 * All given conditions must hold; the entries of a list are alternatives. condition.ts lists them: `sub`, `any`, `all`,
 * `none`, `words`, `option`, `operandMatches`, `operandIn`; `oneOf` for programs that differ; `unless` for exceptions. Write
 * rules with these. `when`, a function of the call (see src/guard/program-call.ts), is for what they cannot say. A rule never
 * matches a call with `--help`, `--version` or `--dry-run`; other flags that make the call harmless go into `none`.
 *
 * Two conditions are about the caller. `strict` holds where every recursive or forced delete is to be asked about. `git` lists
 * what git must say about the operand; no rule with it matches where the caller does not know. Examples run with both.
 *
 * The grammar (see src/guard/parse-args.ts) says which options take a value; without it, the value looks like an operand.
 *
 * The verdict is `ask`, or `deny` for what no one ever means (`rm -rf /`). Severities: `low` is easy to undo, `medium` costs
 * work, `high` loses data or exposes something, `critical` loses what no backup of the workspace can restore.
 */
export interface GuardRule extends Condition {
  id: string
  program: string | readonly string[]
  verdict?: Exclude<Verdict['verdict'], 'allow'>
  severity: Exclude<Severity, 'none'>
  reason: string
  safer?: string
  rewrite?: Rewrite | readonly Rewrite[]
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
