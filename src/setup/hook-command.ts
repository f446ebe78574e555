// Hosts let a call happen when its hook fails: Codex, Gemini and early versions of Claude Code after any exit code but 2
// and after their time limit. So what is installed is a small shell script around Beckon. It blocks unless Beckon ends with
// the one exit code that it ends with only after it has answered: a missing, killed, hanging or damaged Beckon does not.

export interface HookInstallation {
  readonly agent: 'claude' | 'codex' | 'gemini'
  /** The absolute paths of the program that runs Beckon, and of Beckon. */
  readonly node: string
  readonly beckon: string
  /** Where the hub is; null where the host's environment says so. Inside a run, the hub of the run counts. */
  readonly env: { readonly [name: string]: string } | null
  /** More arguments for `beckon hook`, such as --review. */
  readonly args?: readonly string[]
  /** After how many seconds the host gives up on the hook; see `hookTimeout`. */
  readonly timeout?: number
}

/** What the host is told about the hook's time limit, in seconds. */
export const hookTimeout = 600

/** The exit code of a Beckon that has answered. Nothing else ends with it by accident. */
const answered = 86

/** The command line to install as a hook. Any POSIX shell, and fish, can run it. */
export function hookCommand(installation: HookInstallation): string {
  const { agent, node, beckon, env, args = [], timeout = hookTimeout } = installation
  const { wait, limit } = limitsWithin(timeout)
  const hook = [node, beckon, 'hook', agent, '--confirm', `${answered}`, '--wait', `${wait}s`, ...args]
  const words = [script(agent), 'beckon-hook', `${limit}`, failure, ...placeOf(env), '--', ...hook]
  return ['/bin/sh', '-c', ...words.map(quote)].join(' ')
}

/** Beckon hands out a ticket first; if it hangs, the script ends it; the host must never get to its own limit. */
function limitsWithin(timeout: number): { wait: number; limit: number } {
  const limit = timeout - Math.min(10, Math.ceil(timeout / 4))
  return { limit, wait: Math.max(0, limit - Math.min(20, Math.ceil(limit / 4))) }
}

const says = 'Not run: Beckon did not answer. Ask the person to run: beckon doctor'
const failure = JSON.stringify({ decision: 'deny', reason: says })

/** Words with = are set, others are unset: a variable of the shell must not lead to another hub. */
function placeOf(env: HookInstallation['env']): string[] {
  if (env === null) return []
  const unset = ['BECKON_URL', 'BECKON_DB'].filter(name => !Object.hasOwn(env, name))
  return [...unset, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
}

function script(agent: HookInstallation['agent']): string {
  return [...arrange, ...(agent === 'gemini' ? answerOnStdout : answerByExitCode)].join('; ')
}

const arrange = [
  'l=$1 d=$2',
  'shift 2',
  'while [ "$1" != -- ]; do [ -n "$BECKON_RUN" ] || case $1 in *=*) export "$1" ;; *) unset "$1" ;; esac; shift; done',
  'shift',
  // A shell gives a command in the background an empty stdin, unless it is another descriptor.
  'exec 3<&0',
]

// Ends Beckon when the time is up. It holds none of the host's pipes, which would make the host wait for it. It looks every
// second, so that it never outlives Beckon for long, and never ends another process that got its id.
const watch =
  '(PATH=/bin:/usr/bin; i=0; while [ $i -lt "$l" ] && kill -0 $p; do sleep 1; i=$((i+1)); done; [ $i -lt "$l" ] || kill -9 $p) <&- >/dev/null 2>&1 3<&- & w=$!'

// Claude ends a hook with SIGTERM: it is passed on, also if it comes while Beckon is being started. `wait` returns for it,
// and Beckon may still be there.
const answerByExitCode = [
  'p= s=',
  't() { s=1; [ -z "$p" ] || kill $p; }',
  'trap t TERM INT HUP',
  '"$@" <&3 3<&- & p=$!',
  '[ -z "$s" ] || kill $p',
  watch,
  'wait $p',
  'r=$?',
  'while [ $r -gt 128 ] && kill -0 $p 2>/dev/null; do wait $p; r=$?; done',
  'kill $w 2>/dev/null',
  `[ $r -eq ${answered} ] && exit 0`,
  // Codex reads exit code 2 as a failure when stderr is empty.
  `[ $r -eq 2 ] || echo "${says} (exit code $r)" >&2`,
  '[ $r -ne 2 ] || echo "Blocked by Beckon." >&2',
  'exit 2',
]

// Gemini reads stderr where stdout is empty, whatever ended the hook: the refusal comes first, and stands if this shell is
// killed. What a failed Beckon wrote must not count, and nothing may stand beside the refusal: it would not be JSON then.
const answerOnStdout = [
  'printf %s "$d" >&2',
  `o=$(exec 2>/dev/null; "$@" <&3 3<&- & p=$!; ${watch}; wait $p; r=$?; kill $w; exit $r)`,
  `[ $? -eq ${answered} ] || { printf %s "$d"; exit 2; }`,
  '[ -n "$o" ] || { printf "{}"; exit 0; }',
  // JSON counts with any exit code. If the person's .bashrc has printed something before it, it is no JSON, and only 2 blocks.
  'printf %s "$o"',
  'exit 2',
]

/**
 * One word for any POSIX shell and for fish, which reads a backslash inside of single quotes; and `$NAME` is never in one
 * piece, because Gemini replaces some names before a shell sees them.
 */
function quote(word: string): string {
  if (/^[\w/.:=@%+-]+$/.test(word)) return word
  const escaped = word.replaceAll(/['\\]/g, character => `'\\${character}'`)
  return `'${escaped.replaceAll(/\$(?=GEMINI_|CLAUDE_)/g, () => "$''")}'`
}
