import { hash } from 'node:crypto'
import type { AskInput } from '../../protocol/ask.ts'
import { limits } from '../../protocol/limits.ts'
import { type CallingProgram, describeCaller } from './calling-program.ts'

/**
 * What a prompt asks for:
 *   password  everything that is not known to be harmless
 *   text      a user name
 *   choice    yes or no; ssh also takes the fingerprint of a host's key
 *   confirm   yes or no, and only a yes is printed (SSH_ASKPASS_PROMPT=confirm)
 *   notice    something to do elsewhere, such as touching a security key (SSH_ASKPASS_PROMPT=none)
 */
export type PromptKind = 'password' | 'text' | 'choice' | 'confirm' | 'notice'

const yesOrNo = /\(y(?:es)?\/n(?:o)?(\/\[fingerprint\])?\)[?:]?$/i
const userName = /^(?:enter )?(?:user ?name|login)\b/i

export function kindOfPrompt(prompt: string, hint: string | undefined): PromptKind {
  if (hint === 'confirm') return 'confirm'
  if (hint === 'none') return 'notice'
  const text = prompt.trim()
  if (yesOrNo.test(text)) return 'choice'
  return userName.test(text) ? 'text' : 'password'
}

/** The ask for a prompt. The program chose its words, so all that we add is who it is. */
export function askOf(prompt: string, kind: PromptKind, caller: CallingProgram | null): AskInput {
  const text = wellFormed(prompt).trim() || 'Password'
  const who = describeCaller(caller)
  if (kind === 'password') {
    const description = text.includes('\n') ? `${text}\n\n${who}` : who
    return {
      kind: 'dependency',
      type: 'password',
      name: nameOf(text),
      description: cut(description, limits.description),
    }
  }
  const [, fingerprint] = yesOrNo.exec(text) ?? []
  return {
    context: who,
    questions: [
      {
        question: cut(text, limits.question),
        options: kind === 'text' ? [] : kind === 'notice' ? ['Done'] : ['yes', 'no'],
        allowOther: kind === 'text' || (kind === 'choice' && fingerprint !== undefined),
      },
    ],
  }
}

/**
 * A value that a person keeps is for later requests of the same name, so the name is the whole prompt: what was kept for one
 * host or key is never given to another.
 */
function nameOf(text: string): string {
  const name = text.replaceAll(/\s+/g, ' ').replace(/ ?:$/, '')
  if (name.length <= limits.name) return name
  return `${cut(name, limits.name - 20)} ${hash('sha256', text, 'hex').slice(0, 16)}`
}

function cut(text: string, longest: number): string {
  return text.length > longest ? wellFormed(`${text.slice(0, longest - 1)}…`) : text
}

function wellFormed(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
