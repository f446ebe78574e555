import type { Door } from './door.ts'
import type { Answering } from './permissions.ts'
import type { Opencode } from './server.ts'

interface Question {
  readonly id: string
  readonly sessionID: string
  readonly questions: unknown
}

/** The questions of opencode's own tool: dialog and inbox race here, too. */
export function answerQuestions(door: Door, opencode: Opencode): Answering {
  return {
    follow(type, properties) {
      if (type === 'question.asked') void asked(properties as unknown as Question)
      if (type === 'question.replied' || type === 'question.rejected') {
        door.withdraw({ session: String(properties.sessionID), call: String(properties.requestID) })
      }
    },
  }

  async function asked({ id, sessionID, questions }: Question) {
    const reply = await door.askQuestions({ session: sessionID, id, questions }).catch(async (error: Error) => {
      await opencode.log(error.message)
    })
    if (reply?.decision === 'answered') await opencode.replyToQuestion(id, reply.answers ?? [])
    if (reply?.decision === 'deny') await opencode.rejectQuestion(id)
  }
}
