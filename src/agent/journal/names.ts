import type { EntryOf } from './entries.ts'

// A summary may forget what things are called. Names are found without the model: what the agent or the person wrote in
// backticks, and identifiers in the code and the commands that the agent wrote.

const maxNames = 200
const maxText = 20_000
const quoted = /`([^`\s]{2,60})`/g
const declared = /\b(?:function|class|interface|type|const|let|def|fn|struct|enum|func|package)\s+([A-Za-z_]\w{2,59})/g
const environment = /\b([A-Z][A-Z0-9]*_[A-Z0-9_]{1,58})\b/g
const flags = /(?:^|\s)(--[a-z][\w-]{1,40})/g

/** The names in use, the latest last; of more than fit, the latest are kept. */
export class Names {
  readonly #names = new Set<string>()

  addText(text: string): void {
    this.#add(text, [quoted])
  }

  addReply({ content }: EntryOf<'assistant'>): void {
    for (const part of content) {
      if (part.type === 'text') this.addText(String(part.text ?? ''))
      if (part.type === 'tool-call') this.#addInput(part.input)
    }
  }

  latest(): string[] {
    return [...this.#names]
  }

  #addInput(input: unknown): void {
    if (typeof input !== 'object' || input === null) return
    for (const [field, value] of Object.entries(input)) {
      if (typeof value !== 'string' || field === 'path') continue
      this.#add(value, field === 'command' ? [environment, flags] : [declared, environment, quoted])
    }
  }

  #add(text: string, patterns: readonly RegExp[]): void {
    for (const pattern of patterns) {
      for (const [, name = ''] of text.slice(0, maxText).matchAll(pattern)) {
        this.#names.delete(name)
        this.#names.add(name)
      }
    }
    for (const name of this.#names) {
      if (this.#names.size <= maxNames) return
      this.#names.delete(name)
    }
  }
}
