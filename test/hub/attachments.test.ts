import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { readPicture } from '../../src/hub/attachments/read-picture.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import type { AskInput, HubApi } from '../../src/protocol/index.ts'
import { startServer } from '../server/test-server.ts'
import { databases, testKey } from '../setup/databases.ts'
import {
  extendedWebp,
  gif,
  html,
  jpeg,
  losslessWebp,
  lossyWebp,
  png,
  pngBomb,
  scriptInGif,
  svg,
} from '../setup/pictures.ts'

describe('what a file is', () => {
  it.each([
    ['PNG', png(3, 2), 'image/png'],
    ['JPEG', jpeg, 'image/jpeg'],
    ['GIF', gif, 'image/gif'],
    ['lossy WebP', lossyWebp, 'image/webp'],
    ['lossless WebP', losslessWebp, 'image/webp'],
    ['extended WebP', extendedWebp, 'image/webp'],
  ])('is known by its bytes: %s', (_, bytes, type) => {
    expect(readPicture(bytes)).toEqual({ type, width: 3, height: 2 })
  })

  it('is never a picture where the header ends early, wherever that is', () => {
    for (const whole of [png(3, 2), jpeg, gif, lossyWebp, losslessWebp, extendedWebp]) {
      const isWhole = Array.from(whole, (_, length) => readPicture(whole.subarray(0, length)) !== null)
      const first = isWhole.indexOf(true)
      expect(first).toBeGreaterThan(9)
      expect(isWhole.slice(first)).not.toContain(false)
    }
  })

  it('has the size that a browser would draw, whatever stands before it or in the header', () => {
    // A marker without a length makes a reader that expects one skip the frame header: here, to a smaller one.
    const frame = (side: string) => Buffer.from(`ffc0001108${side}${side}03012200021101031101`, 'hex')
    const skipped = Buffer.concat([frame('ea60'), Buffer.alloc(0xffc0 - 19)])
    for (const marker of ['ffd0', 'ffd7', 'ff01'])
      expect(readPicture(Buffer.concat([Buffer.from(`ffd8${marker}`, 'hex'), skipped, frame('0001')]))).toEqual({
        type: 'image/jpeg',
        width: 60_000,
        height: 60_000,
      })
    // Browsers enlarge the screen of a GIF to its first frame.
    const large = Buffer.from(gif)
    const descriptor = large.indexOf(0x2c, 13 + 6)
    large.writeUInt16LE(60_000, descriptor + 5)
    large.writeUInt16LE(60_000, descriptor + 7)
    expect(readPicture(large)).toEqual({ type: 'image/gif', width: 60_000, height: 60_000 })
  })

  it('is never a picture for SVG, HTML, empty pictures and almost pictures', () => {
    const endless = Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(100_000, 0xff)])
    const almost = ['GIF88a', '\x89PNG\r\n\x1a\nIDAT', 'RIFF\0\0\0\0WAVE', 'BM', '%PDF-1.7', '<?xml?>']
    const files = [svg, html, png(0, 5), Buffer.alloc(0), endless, ...almost.map(text => Buffer.from(text.padEnd(60)))]
    expect(files.map(readPicture)).toEqual(files.map(() => null))
  })
})

const compare = (...files: [name: string, data: Uint8Array][]): AskInput => ({
  questions: [{ question: 'Which one?', options: ['left', 'right'] }],
  attachments: files.map(([name, data]) => ({ name, data })),
})
const left = png(40, 30)
const right = png(40, 30, x => [x, 0, 0])

const open: HubApi[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(hub => hub.close()))
})

const ways = [
  {
    way: 'in process',
    async start(database: string) {
      const hub = await openLocalHub({
        database,
        env: { BECKON_KEY: testKey },
        caller: { user: 'me', directory: '/work' },
        sweeps: false,
      })
      open.push(hub)
      return hub
    },
  },
  { way: 'over HTTP', start: async (database: string) => (await startServer(database)).client('answer') },
]

describe.each(databases)('files of a request on $name', ({ prepared }) => {
  describe.each(ways)('$way', ({ start }) => {
    it('are stored with it, to the byte, and described by what they are', async () => {
      const hub = await start(await prepared())
      const raised = await hub.raise(
        compare(
          ['shots/left.png', left],
          ['C:\\notes.txt', Buffer.from('look here')],
          ['page.png', html],
          ['x.png', svg],
        ),
      )
      const { id, attachments } = await hub.get(raised.id)
      expect(attachments).toEqual([
        {
          id: expect.stringMatching(/^att_\w{26}$/),
          name: 'left.png',
          type: 'image/png',
          size: left.length,
          hash: createHash('sha256').update(left).digest('hex'),
          width: 40,
          height: 30,
        },
        expect.objectContaining({ name: 'notes.txt', type: 'text/plain', size: 9 }),
        expect.objectContaining({ name: 'page.png', type: 'text/plain' }),
        expect.objectContaining({ name: 'x.png', type: 'text/plain' }),
      ])
      expect(attachments[2]).not.toHaveProperty('width')
      expect(await hub.attachments.list(id)).toEqual(attachments)
      const bytes = await Promise.all(attachments.map(file => hub.attachments.read(id, file.id)))
      expect(bytes.map(one => Buffer.from(one))).toEqual([left, Buffer.from('look here'), html, svg])
    })

    it('make it another ask: the same files join it, others do not', async () => {
      const hub = await start(await prepared())
      const first = await hub.raise(compare(['a.png', left]))
      const again = await hub.raise(compare(['renamed.png', left]))
      const other = await hub.raise(compare(['a.png', right]))
      const none = await hub.raise(compare())
      expect(again).toEqual(first)
      expect(new Set([first.id, other.id, none.id]).size).toBe(3)
      const keyed = await hub.raise({ ...compare(['a.png', left]), key: 'k' })
      expect((await hub.raise({ ...compare(['a.png', left]), key: 'k' })).id).toBe(keyed.id)
      await expect(hub.raise({ ...compare(['a.png', right]), key: 'k' })).rejects.toMatchObject({
        code: 'key_conflict',
      })
    })

    it('can be added while it is open, each once, and are announced', async () => {
      const hub = await start(await prepared())
      const { id } = await hub.raise(compare(['a.png', left]))
      const added = await hub.attachments.add(id, { name: 'b.png', data: right })
      expect(await hub.attachments.add(id, { name: 'b.png', data: right.toString('base64') })).toEqual(added)
      expect(added.attachments.map(({ name }) => name)).toEqual(['a.png', 'b.png'])
      expect(Buffer.from(await hub.attachments.read(id, added.attachments[1]?.id ?? ''))).toEqual(right)
      const types = (await hub.events()).filter(event => event.request === id).map(({ type }) => type)
      expect(types).toEqual(['request.created', 'request.attached'])
      await hub.answer(id, { value: 'left' })
      await expect(hub.attachments.add(id, { name: 'c.png', data: gif })).rejects.toMatchObject({
        code: 'changed',
        message: `${id} is settled (answered); a file can only be added while it is open.`,
      })
      expect((await hub.get(id)).attachments).toHaveLength(2)
    })

    it('are refused beyond the limits, and then nothing is stored', async () => {
      const hub = await start(await prepared())
      const large = Buffer.alloc(5 * 1_048_576, 1)
      const ask = (...files: [string, Uint8Array][]) => hub.raise(compare(...files)).catch(error => error.message)
      const many = Array.from({ length: 9 }, (_, i): [string, Uint8Array] => [`${i}.gif`, gif])
      expect(await ask(...many)).toBe('attachments: are too many: at most 8 files')
      expect(await ask(['log', Buffer.alloc(5 * 1_048_576 + 1)])).toMatch(
        /^attachments\[0\]\.data: is too large: 5242881 bytes/,
      )
      expect(await ask(['a', large], ['b', large], ['c', gif])).toMatch(
        /^attachments: are too large: \d+ bytes together/,
      )
      expect(await ask(['empty', Buffer.alloc(0)])).toBe('attachments[0].data: is empty')
      expect(await ask(['bomb.png', pngBomb(60_000, 60_000)])).toBe(
        'attachments[0]: "bomb.png" is 60000 × 60000 pixels: at most 20000 on a side and 50 million in all',
      )
      expect(await ask(['long.png', pngBomb(1, 20_001)])).toMatch(/1 × 20001 pixels/)
      expect(await ask(['wide.png', pngBomb(10_000, 5_001)])).toMatch(/10000 × 5001 pixels/)
      expect((await hub.list({ status: 'all' })).requests).toEqual([])
      const { id } = await hub.raise(compare(['a', large], ['b', large]))
      const more = await hub.attachments.add(id, { name: 'c', data: gif }).catch(error => error.message)
      expect(more).toMatch(/^attachments: are too large/)
    })

    it('are found by the request and the file together', async () => {
      const hub = await start(await prepared())
      const one = await hub.raise(compare(['a.gif', scriptInGif]))
      const two = await hub.raise(compare(['b.gif', gif]))
      const file = two.attachments[0]?.id ?? ''
      await expect(hub.attachments.read(one.id, file)).rejects.toMatchObject({ code: 'not_found' })
      await expect(hub.attachments.read(one.id, 'att_none')).rejects.toMatchObject({ code: 'not_found' })
      await expect(hub.attachments.list('req_none')).rejects.toMatchObject({ code: 'not_found' })
      await expect(hub.attachments.add('req_none', { name: 'a', data: gif })).rejects.toMatchObject({
        code: 'not_found',
      })
    })
  })
})
