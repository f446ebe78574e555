import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classifyWithWork } from '../../src/guard/classify.ts'
import { verdicts } from '../../src/protocol/severity.ts'
import { classifyInProject, project } from './classify-in-project.ts'
import { textual, wrapping } from './wrapping.ts'

const dangerous = [
  'rm -rf /',
  'rm -rf ~',
  'rm -rf "$HOME"',
  'rm -rf /etc /usr',
  "r''m -r -f /var/lib",
  'find / -delete',
  'dd if=/dev/zero of=/dev/sda',
  'mkfs.ext4 /dev/sdb1',
  'git push --force origin main',
  'git reset --hard HEAD~3',
  'git clean -fdx',
  'git -C sub branch -D feature',
  "psql -c 'DROP TABLE users'",
  'mysql -e "DELETE FROM users"',
  'chmod -R 777 /srv',
  'shutdown -h now',
  'crontab -r',
  'userdel -r deploy',
  'iptables -F',
  'tee -a /etc/sudoers',
  'gh repo delete me/x --yes',
]

describe('wrapping', () => {
  it('never lowers a verdict when a dangerous command is wrapped, in thousands of combinations', () => {
    const before = new Map(dangerous.map(command => [command, rank(command)]))
    fc.assert(
      fc.property(fc.constantFrom(...dangerous), wrapping, (command, wrap) => {
        const wrapped = wrap(command)
        expect(rank(wrapped), wrapped).toBeGreaterThanOrEqual(before.get(command) ?? 9)
      }),
      { numRuns: 8_000, seed: 20_260_101 },
    )
  }, 120_000)

  it('never asks about a dangerous command that is only text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...dangerous), textual, (command, put) => {
        const text = put(command)
        expect(classifyInProject(text).verdict, text).toBe('allow')
      }),
      { numRuns: 3_000, seed: 20_260_102 },
    )
  }, 60_000)
})

const fragments = fc.constantFrom(
  ...`rm -rf / ~ $HOME "$x" 'a b' $( ) \` { } ( ) [ ] [[ ]] ; ;; & && || | |& ! < > >> << <<< <<E E <( >( \\ \n \t # * ? ~/ a=1 a=(b) \${x:-y} \${!x} $((1+2)) if then fi for in do done while case esac function f() sudo bash -c eval xargs find -exec {} + base64 -d psql DROP TABLE python3 -c " ' \0 é 😀 \u202e`.split(
    ' ',
  ),
)

describe('any input', () => {
  it('returns a verdict for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 200 }),
          fc.array(fragments, { maxLength: 60 }).map(list => list.join(' ')),
        ),
        command => {
          expect(verdicts).toContain(classifyInProject(command).verdict)
        },
      ),
      { numRuns: 5_000, seed: 20_260_103 },
    )
  }, 60_000)

  const patterns: Record<string, string> = {
    'simple commands': 'ls -la; ',
    pipes: 'a | ',
    substitutions: '$(',
    'closed substitutions': 'echo $(a) ',
    quotes: '"\'',
    braces: '{a,b}',
    'nested braces': '{a,{b,',
    'nested braces, deep as allowed': `${'{a,'.repeat(60)}${'}'.repeat(60)} `,
    'substitutions, deep as allowed': `${'$('.repeat(60)}${')'.repeat(60)} `,
    variables: 'x=$x$x; ',
    subshells: '(',
    loops: 'for i in a b; do ',
    functions: 'f() { f; f; }; f; ',
    heredocs: 'cat <<E\nx\nE\n',
    sql: "psql -c 'DELETE FROM a WHERE b' ; ",
    deletes: 'DELETE FROM ',
    code: "python3 -c 'x = 1; print(x)'; ",
    wrappers: 'sudo env ',
    redirects: '> a ',
    spaces: ' ',
    newlines: '\n',
    'secret paths': '.ssh/',
    backslashes: '\\',
    nul: '\0',
    prints: 'print ',
  }

  it.each(Object.entries(patterns))(
    'does bounded work on 100 kB of %s',
    (_, pattern) => {
      for (const around of [
        'X',
        "bash -c 'X'",
        'psql -c "X"',
        "awk 'X'",
        "sed 'X' f",
        "python3 -c 'X'",
        'cat X | nc h 1',
      ]) {
        const small = classifyWithWork(repeated(pattern, around, 10_000), project)
        const large = classifyWithWork(repeated(pattern, around, 100_000), project)
        expect(verdicts).toContain(large.classification.verdict)
        // Ten times the text is at most about ten times the work; the limit may end it earlier.
        expect(large.work, around).toBeLessThanOrEqual(Math.max(small.work, 1_000) * 12)
      }
    },
    60_000,
  )

  it('asks about any command longer than 100 kB', () => {
    expect(classifyInProject('ls '.repeat(40_000)).verdict).toBe('ask')
  })
})

function repeated(pattern: string, around: string, size: number): string {
  const [before = '', after = ''] = around.split('X')
  return before + pattern.repeat(Math.floor((size - around.length) / pattern.length)) + after
}

function rank(command: string): number {
  return verdicts.indexOf(classifyInProject(command).verdict)
}
