import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, pressKey, requireChrome, type Site, sendAtOnce, walk } from './fixture.ts'
import { destroyAll, forcePush, install, script, stash, transfer } from './samples.ts'

// Shows: Request: dangerous approvals show the whole command with the risky span marked, the reasons and a safer alternative, and
// need a deliberate gesture. Settings: rules.
describe('approving in the browser', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  const open = (input: Parameters<Site['open']>[0], size: 'laptop' | 'phone' = 'laptop') => site.open(input, size)

  it('runs a harmless command on the machine that the button names, by key A, and denies it by key D with a note', async () => {
    const yes = await open(install)
    await yes.page.getByRole('button', { name: /^Run on \S+$/ }).waitFor()
    await pressKey(yes.page, 'a')
    expect((await yes.outcome()).answers).toMatchObject([{ selected: ['yes'] }])
    const no = await open(install)
    await no.page.getByRole('button', { name: '+ Add a note' }).click()
    await no.page.getByRole('textbox', { name: 'Note for the agent' }).fill('use pad-start')
    await no.page.locator('.request-head h1').click()
    await pressKey(no.page, 'd')
    expect(await no.outcome()).toMatchObject({ status: 'declined', reason: 'use pad-start' })
  })

  it('shows why a command is dangerous, and approves it only when the button is held', async () => {
    const { page, id, outcome } = await open(forcePush)
    expect((await page.locator('.command mark').textContent())?.trim()).toBe('git push --force origin main')
    await page.getByText('overwrites history that others have').waitFor()
    await page.getByText('git push --force-with-lease').waitFor()
    const hold = page.getByRole('button', { name: 'Hold to approve' })
    await hold.click()
    await hold.press('Enter')
    // Neither the key of a harmless approval nor that of an option.
    await page.keyboard.press('a')
    await page.keyboard.press('1')
    expect((await site.hub.get(id)).status).toBe('pending')
    // The reason is above the command.
    const [reason, command] = await Promise.all(
      ['.reasons', '.command'].map(part => page.locator(part).first().boundingBox()),
    )
    expect((reason?.y ?? 0) + (reason?.height ?? 0)).toBeLessThanOrEqual(command?.y ?? 0)
    await hold.hover()
    await page.mouse.down()
    expect((await outcome()).answers).toMatchObject([{ selected: ['yes'] }])
    await page.mouse.up()
  })

  it('approves a dangerous command by a held key or a typed word', async () => {
    const byKey = await open(forcePush)
    await byKey.page.getByRole('button', { name: 'Hold to approve' }).focus()
    await byKey.page.keyboard.down(' ')
    expect((await byKey.outcome()).answers).toMatchObject([{ selected: ['yes'] }])
    const byWord = await open(forcePush)
    await byWord.page.getByRole('checkbox', { name: 'Approve by typing instead of holding' }).check()
    await byWord.page.getByLabel('Type yes to approve').fill('yes')
    await byWord.page.getByRole('button', { name: 'Approve' }).click()
    expect((await byWord.outcome()).answers).toMatchObject([{ selected: ['yes'] }])
  })

  it('approves a critical command only by the right typed word', async () => {
    const { page, id, outcome } = await open(destroyAll)
    const word = page.getByLabel('Type yes to approve')
    const run = page.getByRole('button', { name: 'Approve' })
    expect(await run.isDisabled()).toBe(true)
    await word.fill('y')
    await word.press('Enter')
    expect((await site.hub.get(id)).status).toBe('pending')
    await word.fill('')
    await word.pressSequentially('yes')
    await run.click()
    expect(await outcome()).toMatchObject({ answers: [{ selected: ['yes'] }], channel: 'web' })
  })

  it('requires scrolling to the end of a long dangerous command before approval', async () => {
    const command = `${[...Array(80).keys()].map(i => `echo ${i}`).join('\n')}\n\n\n\ngit push --force`
    const { page } = await open({ ...forcePush, action: { ...forcePush.action, command } })
    await page.getByText('(3 empty lines)').waitFor({ state: 'attached' })
    await expect.poll(() => page.getByRole('button', { name: 'Hold to approve' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Read to the end first ↓' }).click()
    await page.getByRole('button', { name: 'Hold to approve' }).waitFor()
  })

  it('offers a rule when the hub does, says what it would allow, and creates it', async () => {
    const { page, outcome, id } = await open(stash)
    await page.getByRole('button', { name: 'Always…' }).click()
    await page
      .getByRole('button', { name: 'Always commands that start with git stash drop anywhere in /srv/shop' })
      .click()
    expect(await outcome()).toMatchObject({ always: 'prefix', by: 'mina', channel: 'web' })
    await walk(page, `/requests/${id}`)
    await page.getByText('Commands that start like this are now allowed.').waitFor()
    const exact = await open(stash)
    await exact.page.getByRole('button', { name: 'Always…' }).click()
    await pressKey(exact.page, '1')
    expect(await exact.outcome()).toMatchObject({ always: 'exact' })
    expect(await site.hub.rules.list()).toMatchObject([
      { scope: 'prefix', words: ['git', 'stash', 'drop'], request: id, by: 'mina' },
      { scope: 'exact', command: 'git stash drop' },
    ])
    // The settings remove them.
    const settings = await site.visit({ path: '/settings' })
    const rules = settings.locator('.settings-section', { hasText: 'Rules' }).locator('.item-list li')
    await rules.nth(1).waitFor()
    expect(await rules.first().textContent()).toContain('anything that starts with git stash drop, in /srv/shop')
    await rules.first().getByRole('button', { name: 'Remove…' }).click()
    await rules.first().getByRole('button', { name: 'Remove rule' }).click()
    await rules.nth(1).waitFor({ state: 'detached' })
    expect(await site.hub.rules.list()).toMatchObject([{ scope: 'exact' }])
  })

  it('offers no rule for a dangerous or an edited command', async () => {
    const dangerous = await open({ ...stash, action: { ...stash.action, severity: 'high' as const } })
    await dangerous.page.getByRole('button', { name: 'Hold to approve' }).waitFor()
    expect(await dangerous.page.getByRole('button', { name: 'Always…' }).count()).toBe(0)
    const { page } = await open(stash)
    const always = page.getByRole('button', { name: 'Always…' })
    await always.waitFor()
    await pressKey(page, 'e')
    await page.getByRole('textbox', { name: 'Command to run instead' }).fill('git stash list')
    await always.waitFor({ state: 'detached' })
  })

  it('shows step by step what a command starts, and which rule says what', async () => {
    const { page } = await open(forcePush)
    const steps = page.locator('.steps')
    expect(await steps.locator('li').count()).toBe(0)
    await steps.getByText('Step by step').click()
    const step = steps.locator('li').nth(1)
    await step.getByText('git push --force origin main').waitFor()
    expect(await step.textContent()).toContain('Overwrites history that others have. git/push-force')
  })

  it.each(['laptop', 'phone'] as const)('approves an edited command as the guard judges it: %s', async size => {
    const { page, id, outcome } = await open(forcePush, size)
    await page.getByRole('button', { name: 'Use this instead…' }).click()
    const field = page.getByRole('textbox', { name: 'Command to run instead' })
    expect(await field.inputValue()).toBe('git fetch origin && git push --force-with-lease origin main')
    // The guard checks each version: a refused one cannot be sent, a critical one takes the word, a harmless one a click.
    await field.fill('rm -rf /')
    await page.getByText('This command never runs, even with approval.').waitFor()
    await expect.poll(() => page.locator('.decision-bar :is(button.bad, button.primary)').isDisabled()).toBe(true)
    await field.fill('terraform destroy -auto-approve')
    await page.getByLabel('Type yes to approve').waitFor()
    await page.locator('.edit-command .reasons').waitFor()
    await field.fill('git fetch origin')
    await page.getByText('The guard allows this command.').waitFor()
    await page.getByRole('button', { name: '+ Add a note' }).click()
    await page.getByRole('textbox', { name: 'Note for the agent' }).fill('fetching is enough')
    await page.getByRole('button', { name: 'Approve my version' }).click()
    expect(await outcome()).toMatchObject({ edited: { command: 'git fetch origin' }, answers: [{ selected: ['yes'] }] })
    await walk(page, `/requests/${id}`)
    await page.getByText('Approved instead').waitFor()
    expect(await page.locator('.outcome .command').textContent()).toContain('git fetch origin')
    expect((await site.hub.get(id)).kind).toBe('approval')
    expect(page.notices.bad).toEqual([])
  })

  it('saves an edited command as a draft, and restores the original one', async () => {
    const { page, id } = await open(install)
    await pressKey(page, 'e')
    await page.getByRole('textbox', { name: 'Command to run instead' }).fill('npm install pad-start')
    await expect.poll(async () => (await site.hub.drafts.get(id))?.answers[0]?.text).toBe('npm install pad-start')
    const phone = await site.visit({ path: `/requests/${id}`, size: 'phone' })
    const field = phone.getByRole('textbox', { name: 'Command to run instead' })
    await expect.poll(() => field.inputValue()).toBe('npm install pad-start')
    await phone.getByRole('button', { name: 'Restore the original command' }).click()
    await phone.getByRole('button', { name: /^Run on/ }).click()
    await sendAtOnce(phone)
    const settled = (await site.hub.wait(id, { for: 15_000 })).outcome
    expect(settled).toMatchObject({ status: 'answered', answers: [{ selected: ['yes'], text: null }] })
    expect(settled?.edited).toBeUndefined()
  })

  it('shows what is bound: the decoded command, recorded contents, and what is not covered', async () => {
    const { page } = await open(script)
    await page.getByText('Unwrapped and decoded, it runs').waitFor()
    await page.getByText('/srv/shop/big.bin').waitFor()
    await page.getByText('/srv/shop/deploy.sh').click()
    await page.getByText('scp -r build web-1:/srv/www').waitFor()
    await page.getByText('deploy.sh starts other scripts').waitFor()
    // What the agent says is told apart from what the guard found.
    await page.getByText('The agent says').waitFor()
    await page.getByText('The site is down for a moment.').waitFor()
    await page.getByText('The whole input of the tool').click()
    await page.getByText('"timeout": 60').waitFor()
  })

  it.each(['laptop', 'phone'] as const)('shows the input of a tool, and approves another one: %s', async size => {
    const { page, id, outcome } = await open(transfer, size)
    await page.locator('.action').getByText('mcp__bank__transfer').waitFor()
    expect(await page.locator('.action .command').textContent()).toContain('"amount": 250')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const field = page.getByRole('textbox', { name: 'Command to run instead' })
    await field.fill('{ "amount": ')
    await page.getByText('This is not valid JSON.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Approve my version' }).isDisabled()).toBe(true)
    await field.fill('{ "to": "ACME", "amount": 25, "currency": "EUR" }')
    await page.getByRole('button', { name: 'Approve my version' }).click()
    expect(await outcome()).toMatchObject({ edited: { input: { to: 'ACME', amount: 25, currency: 'EUR' } } })
    await walk(page, `/requests/${id}`)
    await page.getByText('Approved instead').waitFor()
    expect(page.notices.bad).toEqual([])
  })
})
