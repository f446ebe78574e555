import { expect, it } from 'vitest'
import { isSecretVariable, ownershipOf } from '../../src/guard/secret-variables.ts'

it.each([
  'GITHUB_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'PGPASSWORD',
  'MYSQL_PWD',
  'DATABASE_URL',
  'STRIPE_KEY_LIVE',
  'token',
  'SECRET_KEY_BASE',
])('takes %s for a secret', name => {
  expect(isSecretVariable(name)).toBe(true)
})

it.each(['PWD', 'OLDPWD', 'KEY', 'CACHE_KEY', 'PUBLIC_KEY', 'MAX_TOKENS', 'AWS_ACCESS_KEY_ID', 'API_URL', 'KEY_FILE'])(
  'does not take %s for a secret',
  name => {
    expect(isSecretVariable(name)).toBe(false)
  },
)

it.each([
  ['GITHUB_TOKEN', 'api.github.com', 'own'],
  ['GH_TOKEN', 'git.example.net', 'foreign'],
  ['OPENAI_API_KEY', 'api.openai.com.example.net', 'foreign'],
  ['GITLAB_TOKEN', 'gitlab.acme.com', 'own'],
  ['GITLAB_TOKEN', 'git.acme.com', 'unknown'],
  ['GITLAB_TOKEN', 'gitlab.com.example.net', 'foreign'],
  ['ACME_TOKEN', 'api.acme.co.uk', 'own'],
  ['TOKEN', 'api.example.com', 'unknown'],
  ['JWT_SECRET', 'api.example.com', 'foreign'],
  ['DATABASE_URL', 'api.example.com', 'foreign'],
])('of %s and %s says %s', (name, host, owner) => {
  expect(ownershipOf(name, host)).toBe(owner)
})
