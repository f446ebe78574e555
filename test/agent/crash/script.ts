import { repliesIn, type Script } from '../model-server.ts'
import type { ScriptedReply, Seen } from '../wires/wire.ts'

const steps = 30

/** The file that records the effects of the conversation; each may happen once. */
export const effectsFile = 'effects.log'

/**
 * A conversation of thirty replies that covers everything: effects, questions, both in one reply, files, and sub-agents
 * that ask and have effects. The script depends only on the messages it receives, so a restart cannot confuse it.
 */
export const conversation: Script = seen => {
  const step = repliesIn(seen)
  const task = firstText(seen)
  return task.startsWith('sub ') ? subReply(task.slice(4), step) : mainReply(step)
}

function mainReply(step: number): ScriptedReply {
  if (step >= steps) return { text: 'All done.' }
  switch (step % 5) {
    case 0:
      return { text: `Step ${step}.`, calls: [effect(`main-${step}`)] }
    case 1:
      return { calls: [question(`Question ${step}?`)] }
    case 2:
      return {
        calls: [
          { name: 'Glob', input: { pattern: '*' } },
          { name: 'Write', input: { path: `file-${step}`, content: `content ${step}\n` } },
          { name: 'Read', input: { path: `file-${step}` } },
        ],
      }
    case 3:
      return {
        calls: [effect(`before-${step}`), question(`Both ${step}?`), question(`And ${step}?`), effect(`after-${step}`)],
      }
    default:
      return {
        calls: [
          { name: 'Agent', input: { name: 'left', task: `sub left-${step}` } },
          { name: 'Agent', input: { name: 'right', task: `sub right-${step}` } },
        ],
      }
  }
}

function subReply(name: string, step: number): ScriptedReply {
  if (step === 0) return { calls: [question(`Sub ${name}?`)] }
  if (step === 1) return { calls: [effect(`sub-${name}`)] }
  return { text: `sub ${name} is done` }
}

function effect(name: string) {
  return { name: 'Bash', input: { command: `echo ${name} >> ${effectsFile}` } }
}

function question(question: string) {
  return { name: 'AskUserQuestion', input: { question } }
}

export const answerTo = (question: string) => `the answer to ${question}`

function firstText({ items: [first] }: Seen): string {
  return first && 'text' in first ? first.text : ''
}
