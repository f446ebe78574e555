import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { writeFileAtomically } from '../../system/atomic-file.ts'
import { emptyDraft, type InputDraft } from '../../terminal/conversation/input-box.ts'

const schema = z.object({ text: z.string(), queued: z.array(z.string()) })
const saveAfter = 300

/** What the person has written and not sent, in the folder of the conversation: it survives a kill. */
export function openInputDraft() {
  let saved = JSON.stringify(emptyDraft)
  let queued = 0
  let timer: NodeJS.Timeout | null = null
  let pending: (() => void) | null = null
  return { load, save, flush }

  function load(folder: string): InputDraft {
    try {
      saved = readFileSync(fileIn(folder), 'utf8')
      const draft = schema.parse(JSON.parse(saved))
      queued = draft.queued.length
      return draft
    } catch {
      return emptyDraft
    }
  }

  /**
   * The text when the person pauses, because they type many keys in a second. At once where a message was queued or sent:
   * after a kill, nobody should find it in the box again.
   */
  function save(folder: string, draft: InputDraft) {
    const text = JSON.stringify(draft)
    pending = () => write(folder, text)
    if (draft.queued.length !== queued || draft.text === '') flush()
    else timer ??= setTimeout(flush, saveAfter).unref()
    queued = draft.queued.length
  }

  function flush() {
    if (timer) clearTimeout(timer)
    timer = null
    pending?.()
    pending = null
  }

  function write(folder: string, text: string) {
    if (text === saved) return
    saved = text
    try {
      writeFileAtomically(fileIn(folder), text)
    } catch {
      // The conversation goes on without it.
    }
  }
}

function fileIn(folder: string): string {
  return join(folder, 'draft.json')
}
