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
const file = /^[-*] +(\S.*)$/
const last = /^ready for review\.?$/i

export function createPhaseParser(phase: number | string | null): PhaseParser {
  const texts = new Map<string, string>()
  const files: string[] = []
  return { read, belongs, finish }

  function read(line: string): 'more' | 'last' | 'foreign' {
    if (last.test(line)) return 'last'
    const [, name, text = ''] = named.exec(line) ?? []
    if (name) texts.set(name.toLowerCase(), text)
    const [, path] = file.exec(line) ?? []
    if (path) files.push(path.replace(/^`(.*)`$/, '$1'))
    return name || path || line === '' || heading.test(line) ? 'more' : 'foreign'
  }

  function belongs(line: string): boolean {
    return [last, named, heading, file].some(form => form.test(line))
  }

  function finish(): Finished {
    const get = (name: string) => texts.get(name)?.trim() || null
    if (phase === null) return { type: 'custom-complete', task: get('task'), summary: get('summary'), files }
    const title = get('phase') ?? titleOf(get('completed')) ?? `Phase ${phase}`
    return { type: 'phase', phase, title, completed: get('completed'), files }
  }
}

/** The title of "Phase 2 (Design)" is "Design". */
function titleOf(completed: string | null): string | null {
  return /^phase\s+\S+\s+\((.+)\)$/i.exec(completed ?? '')?.[1]?.trim() || completed
}
