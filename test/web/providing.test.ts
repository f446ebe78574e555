import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../setup/databases.ts'
import { chrome, openSite, requireChrome, type Site, walk } from './fixture.ts'
import { apiKey, schema } from './samples.ts'

// Shows: Request: secret fields masked with reveal, never autofilled or logged; files handed over, values kept. Settings: kept
// values.
describe('providing what an agent needs', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  const open = (input: Parameters<Site['open']>[0], size: 'laptop' | 'phone' = 'laptop') => site.open(input, size)

  it('masks a secret, never autofills or drafts it, and delivers it sealed', async () => {
    const { page, id, outcome } = await open(apiKey)
    const drafts: string[] = []
    page.on('request', call => call.url().includes('/draft') && drafts.push(call.method()))
    const field = page.getByLabel('OPENAI_API_KEY', { exact: true })
    expect(await field.getAttribute('type')).toBe('password')
    expect(await field.getAttribute('autocomplete')).toBe('new-password')
    await field.fill('sk-canary-12345678')
    await page.getByRole('button', { name: 'Reveal' }).click()
    expect(await field.getAttribute('type')).toBe('text')
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await outcome()).toMatchObject({ status: 'answered', channel: 'web' })
    await page.waitForURL(`${site.url}/`)
    await walk(page, `/requests/${id}`)
    await page.getByText('Provided and sealed').waitFor()
    expect(await page.content()).not.toContain('sk-canary')
    expect((await site.hub.use(id)).value).toBe('sk-canary-12345678')
    expect(drafts).toEqual([])
  })

  it('keeps the line breaks of a secret, and masks every line', async () => {
    const { page, id, outcome } = await open({
      kind: 'dependency',
      type: 'env_variable',
      name: 'DEPLOY_KEY',
      description: 'To sign',
    })
    const field = page.getByLabel('DEPLOY_KEY', { exact: true })
    await field.fill('-----BEGIN-----\nabc\n-----END-----')
    expect(await page.evaluate(`getComputedStyle(document.querySelector('textarea')).webkitTextSecurity`)).toBe('disc')
    await page.getByRole('button', { name: 'Send' }).click()
    await outcome()
    expect((await site.hub.use(id)).value).toBe('-----BEGIN-----\nabc\n-----END-----')
  })

  it('keeps a value for future requests in one folder or everywhere, and deletes it in the settings', async () => {
    const { page, outcome } = await open({ ...apiKey, name: 'KEPT_KEY' })
    await page.getByLabel('KEPT_KEY', { exact: true }).fill('sk-kept-12345678')
    await page.getByRole('checkbox', { name: 'Keep this value for future requests' }).check()
    await page.getByRole('button', { name: 'Send' }).click()
    await outcome()
    const wide = await open({ ...apiKey, name: 'WIDE_KEY' })
    await wide.page.getByLabel('WIDE_KEY', { exact: true }).fill('sk-wide-12345678')
    await wide.page.getByRole('checkbox', { name: 'Keep this value for future requests' }).check()
    await wide.page.getByLabel('Where it applies').selectOption('everywhere')
    await wide.page.getByRole('button', { name: 'Send' }).click()
    await wide.outcome()
    const kept = async () => (await site.hub.kept.list()).map(({ name, directory }) => [name, directory]).sort()
    expect(await kept()).toEqual([
      ['KEPT_KEY', '/srv/shop'],
      ['WIDE_KEY', null],
    ])
    const settings = await site.visit({ path: '/settings' })
    const list = settings.locator('.settings-section', { hasText: 'Kept values' }).locator('.item-list')
    await list.locator('li', { hasText: 'WIDE_KEY' }).getByText('In every folder').waitFor()
    expect(await settings.content()).not.toContain('sk-')
    const row = list.locator('li', { hasText: 'KEPT_KEY' })
    await row.getByRole('button', { name: 'Delete…' }).click()
    expect(await kept()).toHaveLength(2)
    await row.getByRole('button', { name: 'Delete value' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await kept()).toEqual([['WIDE_KEY', null]])
  })

  it('says beside the field why a value is invalid', async () => {
    const { page, id } = await open(apiKey)
    await page.getByLabel('OPENAI_API_KEY', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('API key too short')
    expect((await site.hub.get(id)).status).toBe('pending')
  })

  it('uploads a file, and gives the agent its path', async () => {
    const { page, id, outcome } = await open(schema, 'phone')
    await page.getByLabel('Or upload a file from this device').setInputFiles({
      name: 'my schema.sql',
      mimeType: 'application/sql',
      buffer: Buffer.from('create table prices (item text)'),
    })
    await page.locator('.chosen-file', { hasText: 'my schema.sql' }).waitFor()
    // With a file, a path or keeping the value would make no sense.
    await expect.poll(() => page.getByRole('textbox', { name: 'File path' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('checkbox', { name: /Keep this value/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await outcome()).toMatchObject({ status: 'answered', by: 'mina', channel: 'web' })
    const { value } = await site.hub.use(id)
    expect(value).toBe(join(site.env.BECKON_HOME, 'files', id, 'my_schema.sql'))
    expect(readFileSync(value ?? '', 'utf8')).toBe('create table prices (item text)')
    expect(page.notices.bad).toEqual([])
  })

  it('accepts a path of a file that exists instead, and removes a chosen file', async () => {
    const cwd = temporaryFolder()
    const { page, id, outcome } = await open({ ...schema, agent: { cwd } })
    const file = { name: 'x.sql', mimeType: 'text/plain', buffer: Buffer.from('x') }
    await page.getByLabel('Or upload a file from this device').setInputFiles(file)
    await page.getByRole('button', { name: 'Remove file' }).click()
    await page.getByRole('textbox', { name: 'File path' }).fill('schema.sql')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').filter({ hasText: 'There is no such file' }).waitFor()
    expect((await site.hub.get(id)).status).toBe('pending')
    writeFileSync(join(cwd, 'schema.sql'), 'create table')
    await page.getByRole('button', { name: 'Send' }).click()
    await outcome()
    expect((await site.hub.use(id)).value).toBe('schema.sql')
  })
})
