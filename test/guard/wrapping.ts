import fc from 'fast-check'

/** A command line, and whether it is a single program with arguments, which alone can follow `sudo`. */
interface Line {
  text: string
  simple: boolean
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const doubleQuote = (text: string) => `"${text.replace(/[\\"$`]/g, found => `\\${found}`)}"`

/** A here-document whose delimiter does not occur in the text. */
const here = (text: string, program: string, rest: string) =>
  `${program} <<'END_${text.length}'${rest}\n${text}\nEND_${text.length}`

const prefixes =
  `sudo|sudo -n|sudo -u root|sudo -E -H --|doas|env|env A=1|env -i|env -u B C=2|command|command -p|exec|nohup|time|timeout 5|timeout -s KILL 5s|timeout --kill-after=3 10|nice|nice -n 5|ionice -c 3|stdbuf -oL|setsid|flock /tmp/lock|xvfb-run|strace -f -o /tmp/s|chronic|unbuffer|caffeinate -i|systemd-run --scope|A=1|A=1 B="x y"|some-wrapper|./tool --quiet --|npx|uv run|bundle exec|poetry run|dotenv -e .env --|cross-env A=1|watchexec|hyperfine-like`.split(
    '|',
  )

const codeWrappers: ((text: string) => string)[] = [
  text => `bash -c ${quote(text)}`,
  text => `sh -c ${doubleQuote(text)}`,
  text => `bash -lc ${quote(text)} arg`,
  text => `zsh -ec ${quote(text)}`,
  text => `eval ${quote(text)}`,
  text => `su -c ${quote(text)}`,
  text => `su root -c ${doubleQuote(text)}`,
  text => `ssh host ${quote(text)}`,
  text => `ssh -p 22 me@host ${doubleQuote(text)}`,
  text => `docker exec -it app sh -c ${quote(text)}`,
  text => `kubectl exec pod -- sh -c ${quote(text)}`,
  text => `watch -n 5 ${quote(text)}`,
  text => `npx -c ${quote(text)}`,
  text => `script -c ${quote(text)} /dev/null`,
  text => `find . -maxdepth 0 -exec sh -c ${quote(text)} ';'`,
  text => `xargs -I{} sh -c ${quote(text)}`,
  text => `busybox sh -c ${quote(text)}`,
  text => `tmux new -d ${quote(text)}`,
  text => `python3 -c ${quote(`import os; os.system(${JSON.stringify(text)})`)}`,
]

const compounds: ((text: string) => string)[] = [
  text => `true; ${text}`,
  text => `cd . && ${text}`,
  text => `false || ${text}`,
  text => `${text} && echo done`,
  text => `ls\n${text}\nls`,
  text => `( ${text} )`,
  text => `{ ${text}\n}`,
  text => `! ${text}`,
  text => `if true; then ${text}\nfi`,
  text => `if ls; then :; else ${text}\nfi`,
  text => `for i in 1 2; do ${text}\ndone`,
  text => `while true; do ${text}\ndone`,
  text => `case a in a) ${text}\n;; esac`,
  text => `f() { ${text}\n}; f`,
  text => `echo $(${text}\n)`,
  text => `x=$(${text}\n)`,
  text => `cat <(${text}\n)`,
  text => `${text} &`,
  text => `echo ${Buffer.from(text).toString('base64')} | base64 -d | sh`,
  text => here(text, 'bash', ''),
  text => here(text, 'cat', ' | sh'),
  text => `printf %s ${quote(text)} | bash`,
  text => `c=${quote(text)}; eval "$c"`,
  text => `echo ${quote(text)} > run.sh; bash run.sh`,
  text => `trap ${quote(text)} EXIT`,
]

type Step = { kind: 'prefix' | 'code' | 'compound'; index: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('prefix' as const), index: fc.nat(prefixes.length - 1) }),
  fc.record({ kind: fc.constant('code' as const), index: fc.nat(codeWrappers.length - 1) }),
  fc.record({ kind: fc.constant('compound' as const), index: fc.nat(compounds.length - 1) }),
)

/** Any combination of known wrappers, quotes and separators around a command. */
export const wrapping: fc.Arbitrary<(command: string) => string> = fc
  .array(step, { minLength: 1, maxLength: 6 })
  .map(steps => command => steps.reduce(apply, { text: command, simple: true }).text)

function apply({ text, simple }: Line, { kind, index }: Step): Line {
  if (kind === 'prefix' && simple) {
    const prefix = prefixes[index]
    // The shell reads assignments, not the wrapper.
    return /^A=/.test(prefix ?? '') || !/^\w+=/.test(text)
      ? { text: `${prefix} ${text}`, simple: true }
      : { text, simple }
  }
  // Here-documents cannot be closed on the line that opens them.
  const inner = text.includes('END_') ? `${text}\n` : text
  if (kind === 'compound') return { text: compounds[index]?.(inner) ?? inner, simple: false }
  return { text: codeWrappers[index % codeWrappers.length]?.(inner) ?? inner, simple: true }
}

const asText: ((text: string) => string)[] = [
  text => `echo ${quote(text)}`,
  text => `echo ${doubleQuote(text)} >> notes.md`,
  text => `printf '%s\\n' ${quote(text)}`,
  text => `grep -rn ${quote(text)} src`,
  text => `rg -- ${quote(text)}`,
  text => `git commit -m ${quote(text)}`,
  text => `git commit -am ${doubleQuote(text)}`,
  text => `git tag -a v1 -m ${quote(text)}`,
  text => `git log --grep=${quote(text)}`,
  text => `gh pr create --title ${quote(text)} --body ${quote(text)}`,
  text => `gh issue comment 5 --body ${quote(text)}`,
  text => `jq --arg cmd ${quote(text)} '.cmd = $cmd' a.json`,
  text => `npm test -- -t ${quote(text)}`,
  text => `npx vitest run -t ${quote(text)}`,
  text => `pytest -k ${quote(text)}`,
  text => `test "$x" = ${quote(text)}`,
  text => `[[ $x == ${quote(text)} ]]`,
  text => `cat > notes.md <<'END_OF_IT'\n${text}\nEND_OF_IT`,
  text => `tee notes.md <<'END_OF_IT'\n${text}\nEND_OF_IT`,
  text => `x=${quote(text)}; echo "$x"`,
  text => `node -e ${quote(`console.log(${JSON.stringify(text)})`)}`,
  text => `python3 -c ${quote(`print(${JSON.stringify(text)})`)}`,
  text => `ls # ${text.replaceAll('\n', ' ')}`,
  text => `case ${quote(text)} in x) echo;; esac`,
  text => `logger ${quote(text)}`,
  text => `notify-send Done ${quote(text)}`,
]

export const textual: fc.Arbitrary<(command: string) => string> = fc.constantFrom(...asText)
