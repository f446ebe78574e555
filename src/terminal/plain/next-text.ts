import type { Line, Lines } from './read-lines.ts'

/** The next text. If several lines are pasted at a terminal, they are one text, and only an Enter of its own sends it. */
export async function nextText(lines: Lines, prompt: string, { hidden = false } = {}): Promise<Line | null> {
  for (let asked = prompt; ; asked = `Discarded.\n${prompt}`) {
    const line = await lines.next(asked, { hidden, joinsPaste: true })
    if (line === null || !line.text.includes('\n')) return line
    const confirmed = await confirmPaste(lines, line, hidden)
    if (confirmed !== '') return confirmed === null ? null : { text: confirmed, typed: false }
  }
}

/** What is typed or pasted meanwhile becomes part of the text. Empty if the person discards it. */
async function confirmPaste(lines: Lines, pasted: Line, hidden: boolean): Promise<string | null> {
  for (let { text, isCutOff } = pasted; ; ) {
    const count = text.split('\n').length.toLocaleString('en')
    const prompt = `${count} lines. Press Enter to send them, or type /discard: `
    const line = await lines.next(prompt, { hidden, joinsPaste: true })
    if (line === null) return null
    if (line.typed && line.text.trim() === '') return text
    if (line.typed && line.text.trim() === '/discard') return ''
    // The rest of a paste was late.
    text += isCutOff && !line.typed ? line.text : `\n${line.text}`
    isCutOff = line.isCutOff
  }
}
