import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { domains } from '../../src/guard/rules/index.ts'
import { parseShell } from '../../src/guard/shell/parse.ts'
import { classifyInProject, rulesOf } from './classify-in-project.ts'

const rules = domains.flatMap(({ rules }) => rules).filter(({ rewrite }) => rewrite !== undefined)
const examples = rules.flatMap(rule => rule.match.map(command => ({ rule, command })))

/** Lines that a command may stand in, at `@`. */
const lines = [
  '@',
  'cd x && @ && echo ok',
  "echo 'it''s  \"here\"' ; @ # why",
  'if test -d a; then @; else ls; fi',
  'for i in 1 2; do @; done',
  '( @ ) > log 2>&1',
  '{ @; } | tee "a  b.log"',
  'out="$(@)" && echo "$out"',
  'f() { @; }; f',
  'A=1 B="x y" @ 2>/dev/null',
  'sudo -u me @ || true',
  'time @ &',
  "echo '😀 한국어' && @",
  'cat <<E > note\nit costs $5 😀\nE\n@\n',
  '[[ -n $A ]] && { echo "${A:-x y}"; @; }',
  'case $1 in a) @ ;; *) ls ;; esac',
  'ls |\n  cat &&\n  @\n\necho 한국어 "😀"',
]

describe('a safer command', () => {
  it.each([
    ['cd x && git push --force origin main && echo ok', 'cd x && git push --force-with-lease origin main && echo ok'],
    [`git push -uf "origin" 'main' 2>&1`, `git push --force-with-lease -u "origin" 'main' 2>&1`],
    ['git push -fo ci.skip origin', 'git push --force-with-lease -o ci.skip origin'],
    ['git push origin +a +b', 'git push origin --force-with-lease a b'],
    ['git push "--force" origin "$(git branch)"', 'git push --force-with-lease origin "$(git branch)"'],
    ['git push \\\n  --force   origin', 'git push \\\n  --force-with-lease   origin'],
    ['git branch --delete   --force x', 'git branch --delete x'],
    ['git fetch; git reset --hard origin/main', 'git fetch; git reset --keep origin/main'],
    ['docker compose -p a down --rmi all -v', 'docker compose -p a down --rmi all'],
    ['terraform -chdir=prod destroy -auto-approve', 'terraform -chdir=prod plan -destroy'],
    ['git branch | xargs git branch -D', 'git branch | xargs git branch -d'],
    ['git push -f a; git push --force b', 'git push --force-with-lease a; git push --force-with-lease b'],
    ['for b in a b; do git push -f o $b; done', 'for b in a b; do git push --force-with-lease o $b; done'],
  ])('of %j is %j', (command, safer) => {
    expect(classifyInProject(command)).toMatchObject({ safer, rewritten: true })
  })

  it.each([
    ["sh -c 'git push -f origin main'"],
    ['eval git push -f'],
    ['X=-f; git push $X origin'],
    ['f() { git push "$@"; }; f -f origin'],
    ['echo Z2l0IHB1c2ggLWY= | base64 -d | sh'],
    ['ssh host git push -f'],
    ['git pu""sh --fo\\rce'],
    [`python3 -c "import os; os.system('git push -f')"`],
    ["git push origin '+main; rm -rf x'"],
    ['git push origin "+$BRANCH"'],
    [`git push -f ${'x'.repeat(4_000)}`],
  ])('of %j is only an example, because the words are not in the command', command => {
    const { safer, rewritten } = classifyInProject(command)
    expect({ safer, rewritten }).toEqual({ safer: 'git push --force-with-lease', rewritten: undefined })
  })

  it('is not offered for a line in which something worse remains', () => {
    expect(classifyInProject('git push -f && rm -rf /').rewritten).toBeUndefined()
    expect(classifyInProject('git push -f && rm -rf /etc').rewritten).toBeUndefined()
    expect(classifyInProject('git push -f && git stash drop').rewritten).toBe(true)
  })

  it.each(rules.map(rule => [rule.id, rule] as const))('exists for an example of %s', (_, rule) => {
    expect(rule.match.some(command => classifyInProject(command).rewritten)).toBe(true)
  })

  it('differs only in what is marked, parses, and does not match the rule, wherever the command stands', () => {
    let rewritten = 0
    for (const { rule, command } of examples) {
      for (const line of lines) {
        const whole = line.replace('@', () => command)
        const { safer, reasons, ...verdict } = classifyInProject(whole)
        const own = reasons.find(reason => reason.rule === rule.id)
        if (!verdict.rewritten || safer === null || !own) continue
        rewritten += 1
        const [from, to] = own.span
        expect(safer.slice(0, from), whole).toBe(whole.slice(0, from))
        expect(safer.endsWith(whole.slice(to)), whole).toBe(true)
        expect(parseShell(safer).errors, safer).toEqual([])
        expect(rulesOf(safer), safer).not.toContain(rule.id)
      }
    }
    expect(rewritten).toBeGreaterThan(500)
  })

  it('starts the same programs, whatever the other words are', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('main', 'a; rm -rf x', '$(id)', '`id`', "it's", '> f', '*', '~', '-x', '--', 'é 😀'),
    )
    const quoted = fc
      .tuple(word, fc.boolean())
      .map(([text, plus]) => `'${(plus ? `+${text}` : text).replaceAll("'", `'\\''`).replaceAll('\0', '')}'`)
    fc.assert(
      fc.property(fc.constantFrom('-f', '--force', '-uf', ''), fc.array(quoted, { maxLength: 4 }), (option, words) => {
        const command = `ls && git push ${[option, ...words].join(' ')} && echo end`
        const { safer, rewritten, segments } = classifyInProject(command)
        if (!rewritten || safer === null) return
        const programs = (list: typeof segments) => list.flatMap(({ argv, via }) => (via.length === 0 ? argv[0] : []))
        expect(programs(classifyInProject(safer).segments), safer).toEqual(programs(segments))
        expect(rulesOf(safer), safer).not.toContain('git/push-force')
      }),
      { numRuns: 3_000, seed: 20_260_118 },
    )
  }, 60_000)
})
