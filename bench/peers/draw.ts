import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { number } from '../report.ts'
import type { Store } from './frameworks.ts'
import { cyclesOf, type Peer } from './peers.ts'

const picture = join(import.meta.dirname, '../../docs/images/peers.svg')
const width = 760
const [nameWidth, barWidth, lineHeight] = [200, 440, 26]
const stores: Store[] = ['SQLite', 'PostgreSQL', 'its own server']

/** Draws full durable cycles per second, 50 at a time, as bars: one scale for all. */
export function drawPeers(peers: readonly Peer[]): void {
  const rates = new Map(peers.map(peer => [peer, cyclesOf(peer, 50)]))
  const most = Math.max(...[...rates.values()].filter(rate => typeof rate === 'number'))
  const parts: string[] = []
  let y = 58
  for (const store of stores.filter(store => peers.some(peer => peer.store === store))) {
    parts.push(text(20, y + 14, store === 'its own server' ? 'A server of its own' : store, 'store'))
    y += lineHeight
    for (const [peer, rate] of rates) {
      if (peer.store !== store) continue
      parts.push(...bar(peer, rate, y))
      y += lineHeight
    }
    y += 10
  }
  const date = new Date().toISOString().slice(0, 10)
  const machine = `${date}, Node ${process.versions.node}, ${cpus().length} processors, one process per framework: npm run bench -- peers`
  parts.push(text(20, y + 14, machine, 'note'))
  writeFileSync(picture, svg(parts, y + 30))

  function bar(peer: Peer, rate: number | Error, y: number): string[] {
    const value = typeof rate === 'number' ? rate : 0
    const length = Math.max(1, (value / most) * barWidth)
    const kind = peer.framework.name === 'beckon' ? 'ours' : 'theirs'
    return [
      text(20, y + 14, peer.label, 'name'),
      `<rect class="${kind}" x="${nameWidth}" y="${y + 2}" width="${length.toFixed(1)}" height="16" rx="2"/>`,
      text(nameWidth + length + 8, y + 14, typeof rate === 'number' ? number(rate) : 'failed', 'name'),
    ]
  }
}

function text(x: number, y: number, words: string, kind: string): string {
  return `<text class="${kind}" x="${x.toFixed(1)}" y="${y}">${words}</text>`
}

function svg(parts: readonly string[], height: number): string {
  const title = 'Full durable cycles per second, 50 at a time'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.title { font-size: 16px; font-weight: 600; }
.store { font-weight: 600; }
.note { font-size: 11px; fill: #59636e; }
.ours { fill: #0969da; }
.theirs { fill: #818b98; }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc; }
.note { fill: #9198a1; }
.ours { fill: #4493f8; }
.theirs { fill: #656c76; }
}
</style>
${text(20, 30, title, 'title')}
${parts.join('\n')}
</svg>
`
}
