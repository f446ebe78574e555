import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStartupVariable, isSteering, steeringVariables } from '../../src/approval/environment.ts'
import { isAllowedByRule } from '../../src/approval/judge-action.ts'
import { environmentFor } from '../../src/approval/run-environment.ts'
import type { Facts } from '../../src/protocol/facts.ts'
import type { Rule } from '../../src/protocol/rule.ts'
import { redirectingVariables } from '../../src/rules/redirected.ts'
import { createKeyedHash } from '../../src/secrets/keyed-hash.ts'

const hmac = createKeyedHash(Buffer.alloc(32, 7))
const recorded = (env: NodeJS.ProcessEnv) => ({ environment: steeringVariables(env, '', hmac) })

describe('the environment that a person said yes to', () => {
  it('is set exactly as it was recorded', () => {
    const facts = recorded({ GIT_DIR: '/mine', KUBECONFIG: '/test' })
    expect(environmentFor(facts, { GIT_DIR: '/other', TERM: 'xterm' }, hmac)).toEqual({
      env: { GIT_DIR: '/mine', KUBECONFIG: '/test', TERM: 'xterm' },
      removed: [],
    })
  })

  it('has no variable that was added since, and names it', () => {
    const env = { GIT_DIR: '/other', AWS_PROFILE: 'prod', BASH_ENV: '/x', LD_PRELOAD: '/x.so', TERM: 'xterm' }
    expect(environmentFor(recorded({}), env, hmac)).toEqual({
      env: { TERM: 'xterm' },
      removed: ['AWS_PROFILE', 'BASH_ENV', 'GIT_DIR', 'LD_PRELOAD'],
    })
  })

  it('needs the same secrets, which it cannot set', () => {
    const facts = recorded({ PGPASSWORD: 'a', AWS_SECRET_ACCESS_KEY: 'b' })
    expect(environmentFor(facts, { PGPASSWORD: 'a', AWS_SECRET_ACCESS_KEY: 'b' }, hmac)).toMatchObject({
      env: { PGPASSWORD: 'a', AWS_SECRET_ACCESS_KEY: 'b' },
    })
    expect(environmentFor(facts, { PGPASSWORD: 'x' }, hmac)).toEqual({
      changed: ['AWS_SECRET_ACCESS_KEY', 'PGPASSWORD'],
    })
    expect(environmentFor(facts, { PGPASSWORD: 'b', AWS_SECRET_ACCESS_KEY: 'a' }, hmac)).toHaveProperty('changed')
  })

  it('steers as recorded from whichever environment it is made, and leaves everything else alone', () => {
    const name = fc.constantFrom('GIT_DIR', 'PGHOST', 'NODE_OPTIONS', 'BASH_ENV', 'TERM', 'FOO', 'HOME', 'PATH', 'LANG')
    const env = fc.dictionary(name, fc.string({ maxLength: 5 }))
    fc.assert(
      fc.property(env, env, (asked, now) => {
        const result = environmentFor(recorded(asked), now, hmac)
        if ('changed' in result) throw new Error('nothing is secret here')
        for (const [one, value] of Object.entries(result.env)) {
          expect(isStartupVariable(one)).toBe(false)
          expect(value).toBe(isSteering(one) ? asked[one] : now[one])
        }
        for (const one of Object.keys(now)) expect(one in result.env || result.removed.includes(one)).toBe(true)
      }),
    )
  })
})

describe('a rule for a folder', () => {
  const environment = [
    { name: 'GIT_DIR', value: '/x' },
    { name: 'KUBECONFIG', value: '/y' },
  ]

  it.each([
    ['git', ['GIT_DIR']],
    ['/usr/bin/git', ['GIT_DIR']],
    ['kubectl', ['KUBECONFIG']],
    ['ls', []],
  ])('says nothing about where variables lead %s: %j', (name, expected) => {
    expect(redirectingVariables({ programs: [{ name, path: null }], environment })).toEqual(expected)
  })

  it('covers nothing for the hub either, while a variable leads elsewhere', () => {
    const rule: Rule = {
      ...{ id: 'rul_1', verdict: 'allow', scope: 'prefix', words: ['git', 'push', '--force'], within: '/work' },
      ...{
        covers: ['git/push-force'],
        request: null,
        channel: 'cli',
        note: null,
        by: 'ann',
        at: '',
        expiresAt: null,
        removedAt: null,
        removedBy: null,
      },
    }
    const allows = (variables: Facts['environment']) =>
      isAllowedByRule(
        {
          command: 'git push --force origin main',
          cwd: '/work',
          facts: { files: [], programs: [{ name: 'git', path: '/usr/bin/git' }], environment: variables, unbound: [] },
        },
        { env: null, rules: [rule] },
        'rul_1',
      )
    expect(allows([])).toBe(true)
    expect(allows(environment)).toBe(false)
  })
})
