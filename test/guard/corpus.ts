import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// corpus/<class>.ask.txt and corpus/<class>.allow.txt: a command per line, ⏎ is a line break, # starts a comment.
const folder = join(import.meta.dirname, 'corpus')

export interface Collection {
  name: string
  want: 'ask' | 'allow'
  commands: readonly string[]
}

export function readCorpus(): Collection[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.txt'))
    .map(file => {
      const [name = '', want] = file.split('.')
      if (want !== 'ask' && want !== 'allow') throw new Error(`${file}: must end in .ask.txt or .allow.txt`)
      const commands = readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter(line => line.trim() !== '' && !/^# /.test(line))
        .map(line => line.replaceAll('⏎', '\n'))
      return { name, want, commands }
    })
}
