import { askReview } from '../block-to-ask.ts'
import type { MalformedItem, PhaseCompletion, Tag, TaskCompletion } from '../items.ts'
import { askProblem } from '../validate-item.ts'

/** The lines below `=== PHASE N COMPLETE ===` or `=== CUSTOM TASK COMPLETE ===`. */
export interface Phase {
  read(line: string): 'more' | 'last' | 'foreign'
  belongs(line: string): boolean
  finish(tag: Tag): Finished
}

type Finished =
  | ({ type: 'phase' } & PhaseCompletion)
  | ({ type: 'custom-complete' } & TaskCompletion)
  | Omit<MalformedItem, 'start' | 'end'>

const named = /^(completed|phase|task|summary): *(.*)$/i
const heading = /^(?:documents|files|tests) (?:created|added|changed|modified|updated|deleted|removed):$/i
const file = /^[-*] +(\S.*)$/
const last = /^ready for review\.?$/i

export function createPhase(phase: number | string | null): Phase {
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

  function finish(tag: Tag): Finished {
    const get = (name: string) => texts.get(name)?.trim() || null
    if (phase === null) return { type: 'custom-complete', task: get('task'), summary: get('summary'), files }
    const title = get('phase') ?? titleOf(get('completed')) ?? `Phase ${phase}`
    const reason = askProblem(askReview({ phase, title, files }))
    if (reason !== null) return { type: 'malformed', tag, reason, text: files.join('\n') }
    return { type: 'phase', phase, title, completed: get('completed'), files }
  }
}

/** "Phase 2 (Design)" is called Design. */
function titleOf(completed: string | null): string | null {
  return /^phase\s+\S+\s+\((.+)\)$/i.exec(completed ?? '')?.[1]?.trim() || completed
}
