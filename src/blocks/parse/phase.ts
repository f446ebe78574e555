import type { PhaseCompletion, TaskCompletion } from '../items.ts'

/** The lines below `=== PHASE N COMPLETE ===` or `=== CUSTOM TASK COMPLETE ===`. */
export interface PhaseParser {
  read(line: string): 'more' | 'last' | 'foreign'
  belongs(line: string): boolean
  finish(): Finished
}

type Finished = ({ type: 'phase' } & PhaseCompletion) | ({ type: 'custom-complete' } & TaskCompletion)

const named = /^(completed|phase|task|summary): *(.*)$/i
const heading = /^(?:documents|files|tests) (?:created|added|changed|modified|updated|deleted|removed):$/i
const item = /^[-*] +(\S.*)$/
const last = /^ready for review\.?$/i

export function createPhaseParser(phase: number | string | null): PhaseParser {
  const texts = new Map<string, string>()
  const files: string[] = []
  const points = new Map<string, string[]>()
  /** The list that the next items belong to: what a field without a text lists, otherwise files. */
  let list = files
  return { read, belongs, finish }

  function read(line: string): 'more' | 'last' | 'foreign' {
    if (last.test(line)) return 'last'
    const [, name, text = ''] = named.exec(line) ?? []
    if (name) readField(name.toLowerCase(), text)
    const [, listed] = item.exec(line) ?? []
    if (listed) list.push(list === files ? listed.replace(/^`(.*)`$/, '$1') : listed)
    if (heading.test(line)) list = files
    return name || listed || line === '' || heading.test(line) ? 'more' : 'foreign'
  }

  function readField(name: string, text: string): void {
    texts.set(name, text)
    list = files
    if (text.trim() !== '' || (name !== 'completed' && name !== 'summary')) return
    list = points.get(name) ?? []
    points.set(name, list)
  }

  function belongs(line: string): boolean {
    return [last, named, heading, item].some(form => form.test(line))
  }

  function finish(): Finished {
    const get = (name: string) => texts.get(name)?.trim() || null
    if (phase === null) {
      return { type: 'custom-complete', task: get('task'), summary: get('summary') ?? pointsOf('summary'), files }
    }
    const completed = get('completed')
    const title = get('phase') ?? titleOf(completed) ?? `Phase ${phase}`
    const said = [
      // It is the title, unless the phase has one of its own.
      get('phase') === null ? null : completed,
      pointsOf('completed'),
      get('summary') ?? pointsOf('summary'),
    ]
    const summary = said.filter(text => text !== null).join('\n\n')
    return { type: 'phase', phase, title, completed, files, ...(summary === '' ? {} : { summary }) }
  }

  function pointsOf(name: string): string | null {
    return points.get(name)?.length ? (points.get(name) ?? []).map(point => `- ${point}`).join('\n') : null
  }
}

/** The title of "Phase 2 (Design)" is "Design". */
function titleOf(completed: string | null): string | null {
  return /^phase\s+\S+\s+\((.+)\)$/i.exec(completed ?? '')?.[1]?.trim() || completed
}
