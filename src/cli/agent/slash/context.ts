import { describeInstructions } from '../describe-instructions.ts'
import { describeServer } from '../describe-server.ts'
import type { SlashCommand } from './command.ts'

export const context: SlashCommand = {
  name: '/context',
  summary: 'show what fills the context',
  async run({ view, loop }) {
    const { tokens, counted, limit } = loop.status()
    const rows = [
      ...loop.contextParts().map(({ name, tokens }) => row(name, tokens, limit)),
      row('free', Math.max(0, limit - tokens), limit),
    ]
    const how = counted ? '' : ' (estimated)'
    const about = `${tokens.toLocaleString('en')} of ${limit.toLocaleString('en')} tokens${how}; when full, Beckon summarises the older part.`
    const files = loop.instructionFiles()
    const read = files.length > 0 ? describeInstructions({ files, left: [] }) : []
    const servers = loop.servers?.list().map(describeServer) ?? []
    view.note([...rows, about, ...read, ...servers].join('\n'))
    return undefined
  },
}

function row(name: string, tokens: number, limit: number): string {
  const share = `${((tokens / limit) * 100).toFixed(1)} %`
  return `${name.padEnd(14)} ${tokens.toLocaleString('en').padStart(9)} ${share.padStart(8)}`
}
