import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => parse(readFileSync(join(root, '.github', path), 'utf8'))

it('decides about changes on GitHub with .ci/run and the containers, and with no right to write', () => {
  const { on, permissions, jobs } = read('workflows/check.yml')
  expect(Object.keys(on)).toEqual(['push', 'pull_request'])
  expect(permissions).toEqual({ contents: 'read' })
  const commands = (job: { steps: { run?: string }[] }) => job.steps.flatMap(({ run }) => run ?? [])
  expect(commands(jobs.check)).toEqual(['.ci/run'])
  expect(commands(jobs.containers)).toEqual(['deploy/check'])
  expect(statSync(join(root, '.ci/run')).mode & 0o111).toBe(0o111)
})

it('has forms for issues that GitHub accepts', () => {
  const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter(name => name !== 'config.yml')
  for (const form of forms) {
    const { name, description, body } = read(`ISSUE_TEMPLATE/${form}`)
    expect([typeof name, typeof description], form).toEqual(['string', 'string'])
    const fields = body.filter(({ type }: { type: string }) => type !== 'markdown')
    expect(new Set(fields.map(({ id }: { id: string }) => id)).size, form).toBe(fields.length)
    expect(
      fields.every(({ attributes }: { attributes: { label?: string } }) => attributes.label),
      form,
    ).toBe(true)
  }
})

it('sends reports of security problems elsewhere than to a public issue', () => {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const page = repository.url.replace(/^git\+|\.git$/g, '')
  const links: { url: string }[] = read('ISSUE_TEMPLATE/config.yml').contact_links
  expect(links.map(({ url }) => url)).toContain(`${page}/security/advisories/new`)
  expect(existsSync(join(root, 'SECURITY.md'))).toBe(true)
})
