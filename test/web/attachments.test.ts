import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gif, html, jpeg, lossyWebp, png, svg } from '../setup/pictures.ts'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'

describe('files on the page of a request', () => {
  let site: Site
  beforeAll(async () => {
    if (chrome) site = await openSite()
  })
  beforeEach(requireChrome)
  afterAll(async () => site?.close())

  const layout = png(900, 600, (x, y) => [x % 256, y % 256, 120])

  it('shows pictures in boxes that do not jump, opens them at full size, and downloads the rest', async () => {
    const { page, id } = await site.open({
      questions: [{ question: 'Which layout?', options: ['left', 'right'] }],
      attachments: [
        { name: 'layout.png', data: layout },
        { name: 'photo.jpg', data: jpeg },
        { name: 'x.webp', data: lossyWebp },
        { name: '<img src=x onerror=alert(1)>\u202egnp.gif', data: gif },
        { name: 'torn.png', data: Buffer.concat([layout.subarray(0, 24), Buffer.alloc(50, 0xff)]) },
        { name: 'logo.svg', data: svg },
        { name: 'page.png', data: html },
      ],
    })
    const files = page.getByRole('region', { name: 'Files' })
    const first = files.getByRole('img', { name: 'layout.png' })
    await first.waitFor()
    await expect.poll(() => sizeOf(first).then(size => size.natural)).toBe(900)
    // The box has the proportions of the picture before a byte of it is there.
    expect(await sizeOf(first)).toMatchObject({ width: 255, height: 170 })
    expect(await files.getByText('\\u202egnp.gif').count()).toBe(1)
    await files.getByText('This picture is damaged.').waitFor()
    expect(await files.getByRole('img').count()).toBe(4)

    // What is not a picture by its bytes is never shown: it is saved, under its name.
    for (const [name, bytes] of [
      ['logo.svg', svg],
      ['page.png', html],
    ] as const) {
      const row = files.getByRole('listitem').filter({ hasText: name })
      const [download] = await Promise.all([page.waitForEvent('download'), row.getByRole('button').click()])
      expect(download.suggestedFilename()).toBe(name)
      expect(readFileSync(await download.path())).toEqual(bytes)
    }

    await files.getByRole('button', { name: 'Open layout.png' }).click()
    const viewer = page.getByRole('dialog')
    await viewer.getByRole('img', { name: 'layout.png' }).waitFor()
    expect(await sizeOf(viewer.getByRole('img'))).toMatchObject({ natural: 900 })
    await page.keyboard.press('ArrowRight')
    await viewer.getByRole('img', { name: 'photo.jpg' }).waitFor()
    await page.keyboard.press('k')
    await viewer.getByRole('img', { name: 'layout.png' }).waitFor()
    await viewer.getByRole('button', { name: 'Show every pixel' }).click()
    await expect.poll(() => sizeOf(viewer.getByRole('img')).then(size => size.width)).toBe(900)
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    expect(page.url()).toContain(id)
    // Nothing of this was an answer.
    expect((await site.hub.get(id)).status).toBe('pending')
    expect(page.notices.bad).toEqual([])
  })

  it('shows a file that was added while the page is open, and fits on a phone', async () => {
    const { page, id } = await site.open({ questions: [{ question: 'And now?' }] }, 'phone')
    await site.hub.attachments.add(id, { name: `${'long-name-'.repeat(15)}.png`, data: layout })
    await page.getByRole('region', { name: 'Files' }).getByRole('img').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await page.getByRole('region', { name: 'Files' }).getByRole('button').click()
    await page.getByRole('dialog').getByRole('img').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(page.notices.bad).toEqual([])
  })

  it('loads no picture that a text names, wherever it stands', async () => {
    const elsewhere = '![x](https://evil.example/a.png) <img src="https://evil.example/b.png"> ![y](/api/session)'
    const { page } = await site.open({
      context: elsewhere,
      questions: [
        {
          question: `Which? ${elsewhere}`,
          options: [
            { label: 'one', description: elsewhere, preview: elsewhere },
            { label: 'two', description: '', preview: '![z](data:image/png;base64,AAAA)' },
          ],
        },
      ],
    })
    await page.getByText('evil.example').first().waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    expect(page.notices.bad).toEqual([])
  })
})

interface Picture {
  width: number
  height: number
  naturalWidth: number
}

function sizeOf(picture: Locator) {
  return picture.evaluate(element => {
    const { width, height, naturalWidth } = element as unknown as Picture
    return { width, height, natural: naturalWidth }
  })
}
