import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { imagesNamedIn } from '../../src/agent/images/named.ts'
import { createSandbox } from '../cli/sandbox.ts'
import { startModelServer } from './model-server.ts'
import { createAgentSandbox } from './sandbox.ts'

const models = ['anthropic/scripted', 'openai/scripted', 'google/scripted', 'compatible/scripted']
const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const png = Buffer.from(base64, 'base64')
const sent = `data:image/png;base64,${base64}`

async function createImageSandbox(model?: string) {
  const sandbox = await createAgentSandbox(() => ({ text: 'ok' }), model ? { model } : {})
  return { ...sandbox, images: () => sandbox.events.flatMap(event => (event.type === 'images' ? event.images : [])) }
}

describe('an image that a message names', () => {
  it.each(models)('is sent to %s, and again after the file is gone and the conversation is continued', async model => {
    const sandbox = await createImageSandbox(model)
    const file = join(sandbox.cwd, 'shot.png')
    writeFileSync(file, png)
    const loop = await sandbox.open({ sendsImages: true })
    expect(await loop.runTurn('What is on @shot.png?')).toMatchObject({ status: 'done' })
    rmSync(file)
    loop.close()
    const again = await sandbox.open({ folder: loop.folder, sendsImages: true })
    await again.runTurn('And now?')
    expect(sandbox.server.log.map(({ images }) => images)).toEqual([[sent], [sent]])
    expect(sandbox.server.log[0]?.items).toEqual([{ type: 'user', text: 'What is on @shot.png?' }])
    expect(sandbox.images()).toEqual([{ path: file, bytes: png.length, why: null }])
    expect(again.status().tokens).toBeLessThan(20_000)
    expect(sandbox.server.violations).toEqual([])
  })

  it('is said not to be sent where it is too large, no image, or not there', async () => {
    const sandbox = await createImageSandbox()
    const { cwd } = sandbox
    writeFileSync(join(cwd, 'large.png'), Buffer.concat([png, Buffer.alloc(4_000_000)]))
    writeFileSync(join(cwd, 'text.jpg'), 'not an image')
    mkdirSync(join(cwd, 'folder.gif'))
    const loop = await sandbox.open({ sendsImages: true })
    await loop.runTurn('Compare large.png, text.jpg, folder.gif and @gone.webp, then draw new.png')
    expect(sandbox.server.log[0]?.images).toEqual([])
    expect(sandbox.images().map(({ path, why }) => [path.slice(cwd.length + 1), why])).toEqual([
      ['large.png', 'it has 4.00 MB, and 3.75 are possible'],
      ['text.jpg', 'it is not a PNG, JPEG, GIF or WebP image'],
      ['folder.gif', 'it is not a regular file'],
      ['gone.webp', 'it does not exist'],
    ])
  })

  it('is sent as what it is, whatever its name says', async () => {
    const sandbox = await createImageSandbox()
    writeFileSync(join(sandbox.cwd, 'shot.jpg'), png)
    await (await sandbox.open({ sendsImages: true })).runTurn('shot.jpg')
    expect(sandbox.server.log[0]?.images).toEqual([sent])
  })

  it('is not sent because a model names it to a sub-agent, nor where a program does not want it', async () => {
    const sandbox = await createAgentSandbox((_, count) =>
      count === 1
        ? { calls: [{ name: 'Agent', input: { name: 'spy', task: `Look at @${secret()}` } }] }
        : { text: 'ok' },
    )
    const secret = () => join(sandbox.root, 'secret.png')
    writeFileSync(secret(), png)
    await (await sandbox.open({ sendsImages: true })).runTurn('go')
    await (await sandbox.open()).runTurn(`Look at ${secret()}`)
    expect(sandbox.server.log.flatMap(({ images }) => images)).toEqual([])
  })

  it('leaves its name in the summary when the context is full', async () => {
    const sandbox = await createAgentSandbox(() => ({ text: 'word '.repeat(200), usage: null }))
    writeFileSync(join(sandbox.cwd, 'shot.png'), png)
    const loop = await sandbox.open({ sendsImages: true })
    await loop.runTurn('What is on shot.png?')
    for (const turn of ['one', 'two', 'three']) await loop.runTurn(turn)
    expect(await loop.compact()).toBe(true)
    const asked = sandbox.server.log.at(-1)?.items.map(item => ('text' in item ? item.text : ''))
    expect(asked?.join('\n')).toContain('Person: What is on shot.png?\n(with the image shot.png)')
    await loop.runTurn('four')
    expect(sandbox.server.log.at(-1)?.images).toEqual([])
  })
})

describe('imagesNamedIn', () => {
  it.each([
    ['@shot.png', ['/w/shot.png']],
    ['look at ./a/b.JPG, please', ['/w/a/b.JPG']],
    [String.raw`/tmp/Screen\ Shot.png`, ['/tmp/Screen Shot.png']],
    [`'/tmp/with spaces.webp' and "other one.gif"`, ['/tmp/with spaces.webp', '/w/other one.gif']],
    ['a.png b.png a.png', ['/w/a.png', '/w/b.png']],
    ['(see shot.png) 그림.png을 봐줘', ['/w/shot.png', '/w/그림.png']],
    ['shot.pngx https.png/x notes.txt', []],
  ])('%s', (text, paths) => {
    expect(imagesNamedIn(text, '/w').map(({ path }) => path)).toEqual(paths)
  })
})

describe('beckon agent run', () => {
  it('sends an image that the task names, and says which one it does not', async () => {
    const { run, cwd, env, atEnd } = await createSandbox()
    const server = await startModelServer(() => ({ text: 'Done.' }))
    atEnd(() => server.close())
    Object.assign(env, server.env, { BECKON_MODEL: 'anthropic/scripted' })
    writeFileSync(join(cwd, 'shot.png'), png)
    const { stderr, stdout } = await run(['agent', 'run', 'compare @shot.png and @gone.png'])
    expect(server.log[0]?.images).toEqual([sent])
    expect(stderr).toContain(`${join(cwd, 'gone.png')} was not sent: it does not exist.`)
    expect(stdout).toBe('Done.\n')
  })
})
