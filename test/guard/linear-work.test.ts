import { describe, expect, it } from 'vitest'
import { classify, decide } from '../../src/guard/index.ts'
import { classifyInProject, project } from './classify-in-project.ts'
import { countWork } from './count-work.ts'

type Shape = (size: number) => string

/** What can make a reader of shell code read the same text again and again. */
const shapes: Record<string, Shape> = {
  'a long pipeline': repeat('a | ', { after: 'a' }),
  'a pipeline that passes a secret on': repeat('cat | ', { before: 'cat .env | ', after: 'cat' }),
  'a pipeline with a long text': size => `echo ${'bHMK'.repeat(size / 8)} ${'| rev '.repeat(size / 12)}`,
  'a list with &&': repeat('a && ', { after: 'a' }),
  'a list with ;': repeat('ls -la; '),
  'substitutions in one word': repeat('$(a)', { before: 'echo ' }),
  'nested substitutions': repeat(`${'$('.repeat(60)}a${')'.repeat(60)} `, { before: 'echo ' }),
  'nested process substitutions': repeat(`${'<('.repeat(60)}a${')'.repeat(60)}; `, { before: 'echo ' }),
  'subshells with many variables': size => `${many(i => `x${i}=${i}; `)(3_000)}${'(a); '.repeat((size - 3_000) / 5)}`,
  'subshells with many functions': size => `${many(i => `f${i}() { a; }; `)(size / 2)}${'(a); '.repeat(size / 10)}`,
  'subshells with many aliases': size => `${many(i => `alias f${i}=a; `)(size / 2)}${'(a); '.repeat(size / 10)}`,
  'a long sum': repeat('$(a)+', { before: 'echo $((', after: '1))' }),
  quotes: repeat(`"a"'b'`, { before: 'echo ' }),
  'here-documents': repeat('cat <<E\nx\nE\n'),
  'a here-document for a shell': repeat('ls -la\n', { before: 'bash <<E\n', after: 'E\n' }),
  'many assignments': many(i => `x${i}=${i}; `),
  'a variable that grows': repeat('x+=a; echo $x; '),
  'a variable that is replaced by itself': size => `x=${'a'.repeat(size / 2)}; echo ${'${x//a/$x} '.repeat(size / 24)}`,
  'a long word': repeat('a', { before: 'echo ' }),
  'a path of stars': repeat('*/', { before: 'rm -rf ' }),
  'slashes before a name': repeat('/', { before: 'rm -rf ', after: 'a' }),
  braces: repeat('{a,b} ', { before: 'echo ' }),
  'ranges in braces': repeat('{1..9999} ', { before: 'echo ' }),
  'nested braces': repeat(`${'{a,'.repeat(60)}b${'}'.repeat(60)} `, { before: 'echo ' }),
  'braces before variables': size => `echo ${'{a,b}'.repeat(9)}${'$x'.repeat(size / 2 - 50)}`,
  globs: repeat('*.a ', { before: 'rm -rf ' }),
  loops: repeat('for i in a b; do echo $i; done; '),
  'a loop over a long word': size =>
    `for i in {1..60}; do for j in {1..60}; do echo ${'x'.repeat(size - 80)}; done; done`,
  'a loop over SQL': size =>
    `for i in {1..60}; do for j in {1..60}; do psql -c "${'select 1; '.repeat(size / 10 - 9)}"; done; done`,
  'arms of a case': size => `${many(i => `x${i}=${i}; `)(3_000)}case x in ${'a) b;; '.repeat((size - 3_100) / 7)}esac`,
  redirects: repeat('> a ', { before: 'ls ' }),
  'files that are written and run': repeat('echo a >> x; sh x; '),
  'a function that is called again': size => `f() { ${'a; '.repeat(size / 8)}}; ${'f; '.repeat(size / 5)}`,
  'a directory that grows': repeat('cd a; rm -rf b; '),
  'arguments that are shifted': size => `set -- ${'a '.repeat(size / 4)}; ${'shift; '.repeat(size / 14)}`,
  'many arguments in a deep directory': size => `cd ${'a/'.repeat(480)}; rm -rf ${'a '.repeat(size / 2 - 490)}`,
  'sh -c': repeat(`sh -c 'a'; `),
  'one text for many shells': size => `x='${'a; '.repeat(size / 6)}'; ${'sh -c "$x"; '.repeat(size / 26)}`,
  wrappers: repeat('sudo env ', { after: 'ls' }),
  'wrappers around many arguments': repeat('a ', { before: 'nohup '.repeat(12) }),
  'names for xargs': size => `printf '${'a\\n'.repeat(size / 6)}' | xargs -I{} rm ${'{} '.repeat(size / 6)}`,
  'one name in many places': size => `echo ${'a'.repeat(size / 2)} | xargs -I{} echo ${'{}'.repeat(size / 4 - 20)}`,
  'folders of find': repeat('/a ', { before: 'find ', after: '-exec rm -rf {} \\;' }),
  'find -exec without an end': repeat('-exec ', { before: 'find . ' }),
  'arithmetic with variables': size => `x='a b c'; ${'echo $((x + a[x])); '.repeat(size / 22)}`,
  'variables that name each other': size =>
    `${many(i => `v${i}='v1 v2 v3 v4 v5 v6 v7 v8 v9'; `)(900)}${'((v1)); '.repeat(size / 8 - 120)}`,
  'a long value in arithmetic': size => `x='${'a '.repeat(size / 4)}'; ${'((x)); '.repeat(size / 16)}`,
  'prompts that are expanded': repeat("PS4='$(a)'; "),
  'a prompt for many traces': size => `x='${'$(a)'.repeat(size / 8)}'; ${'echo "${x@P}"; '.repeat(size / 32)}`,
  'variables that run code': repeat("PAGER='ls -la' a; "),
  'folders of PATH': repeat('/tmp/a:', { before: 'PATH=', after: ' ls' }),
  'a makefile': repeat('a:;b\n', { before: 'make -f - <<E\n', after: 'E\n' }),
  'a makefile with colons': repeat('a:', { before: "make --eval='", after: "'" }),
  'commands of ed': repeat('!a\n', { before: 'ed <<E\n', after: 'E\n' }),
  'spaces in code of vim': repeat(' ', { before: "vim -c 'call system(", after: "x'" }),
  'code of emacs': repeat('(make-process ', { before: "emacs --eval '", after: "'" }),
  'spaces in a loop of Python': repeat(' ', { before: "python3 -c 'while", after: "x'" }),
  'loops that never end': repeat('while true; do a; done; '),
  'loops in loops that never end': size => `${'while true; do '.repeat(size / 30)}a${'; done'.repeat(size / 30)}`,
  'functions that call themselves': repeat('f() { f; a | b & }; f; '),
  'open descriptors': repeat('a 3<<<b <&3; '),
  Python: repeat('os.system("ls"); ', { before: "python3 -c '", after: "'" }),
  JavaScript: repeat('execSync("ls"); ', { before: "node -e '", after: "'" }),
  'Python by computed names': repeat('getattr(os, "sys" + "tem")("ls"); ', { before: "python3 -c '", after: "'" }),
  'loops in Python': repeat('for f in os.listdir("a"): os.remove(f)\n', { before: "python3 -c '", after: "'" }),
  'members in JavaScript': repeat('a["b" + "c"]', { before: "node -e '", after: "'" }),
  'pipes in Elixir': repeat('"a" |> File.rm!() ', { before: "elixir -e '", after: "'" }),
  Lisp: repeat('(system "ls") ', { before: "guile -c '", after: "'" }),
  'settings of git': repeat('-c core.pager=cat ', { before: 'git ', after: 'log' }),
  Perl: repeat('system("ls"); ', { before: "perl -e '", after: "'" }),
  awk: repeat('print $1; ', { before: "awk '{", after: "}' f" }),
  SQL: repeat('DELETE FROM a WHERE b; ', { before: 'psql -c "', after: '"' }),
  'one SQL statement': repeat('(UPDATE a SET b ', { before: 'psql -c "', after: '"' }),
  'SQL in strings of SQL': size =>
    `psql -c '${many(i => `DO $t${i}$ `)(size - 20).replaceAll(/\d/g, digit => 'abcdefghij'[Number(digit)] ?? '')}'`,
  sed: repeat('s/a/b/;', { before: "sed '", after: "' f" }),
  base64: repeat('bHMK', { before: 'echo ', after: ' | base64 -d | sh' }),
  'base64 in base64': ladder,
}

describe('work', () => {
  it.each(Object.entries(shapes))(
    'grows with the length alone: %s',
    (_, shape) => {
      const [small, large] = [shape(10_000), shape(100_000)].map(command => command.slice(0, 100_000)) as [
        string,
        string,
      ]
      judge(small)
      const before = countWork(() => judge(small))
      const after = countWork(() => judge(large))
      // Ten times the text is at most about ten times the work; a limit may end it earlier.
      expect(after).toBeLessThanOrEqual(before * 13)
      expect(after).toBeLessThanOrEqual(mostWork)
    },
    60_000,
  )
})

/** Blocks and characters for 100 kB, whatever they say. On an ordinary machine this is less than a fifth of a second. */
const mostWork = 60_000_000

describe('nesting', () => {
  it.each([
    ['( ', ' )'],
    ['$(', ')'],
    ['$((', '))'],
    ['${x:-', '}'],
    ['{a,', '}'],
    ['@(a|', ')'],
    ['if a; then ', '; fi'],
    ['for i in a b; do ', '; done'],
    ['case x in a) ', ';; esac'],
    ['f() { ', '; }'],
    ['{ ', '; } > b'],
    ['[[ ( ', ' ) ]]'],
    ['coproc ', ''],
    ['! ', ''],
    ['eval ', ''],
  ])('never overflows the stack: %s … %s', (open, close) => {
    const times = Math.floor(99_000 / (open.length + close.length))
    const command = `${open.repeat(times)}rm -rf /${close.repeat(times)}`
    const verdict = classifyInProject(command)
    expect(verdict.verdict).not.toBe('allow')
    expect(JSON.stringify(verdict.reasons)).not.toMatch(/call stack/i)
  })
})

describe('a command that is too long', () => {
  it('is not judged, and gets one reason of high severity', () => {
    for (const command of ['ls '.repeat(33_334), `rm -rf / ${'a'.repeat(100_000)}`, '('.repeat(100_001)]) {
      const { verdict, severity, reasons } = classifyInProject(command)
      expect({ verdict, severity, reasons }).toEqual({
        verdict: 'ask',
        severity: 'high',
        reasons: [{ rule: 'shell/too-long', message: 'is too long to judge', span: [0, command.length] }],
      })
    }
    expect(classifyInProject(`: ${'a'.repeat(99_998)}`).verdict).toBe('allow')
  })
})

/** Everything that is done about one command: the verdict, and the users' rules. */
function judge(command: string): void {
  decide(classify(command, project), { command, cwd: project.cwd, digest: '' }, [])
}

function repeat(pattern: string, { before = '', after = '' } = {}): Shape {
  return size => before + pattern.repeat((size - before.length - after.length) / pattern.length) + after
}

function many(one: (i: number) => string): Shape {
  return size => {
    let text = ''
    for (let i = 0; text.length < size - 20; i += 1) text += one(i)
    return text
  }
}

/** echo … | base64 -d | sh, in itself, as often as fits. */
function ladder(size: number): string {
  let command = 'ls'
  for (;;) {
    const next = `echo ${Buffer.from(command).toString('base64')} | base64 -d | sh`
    if (next.length > size) return command
    command = next
  }
}
