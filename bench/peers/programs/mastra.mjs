import { Mastra } from '@mastra/core'
import { createStep, createWorkflow } from '@mastra/core/workflows'
import { LibSQLStore } from '@mastra/libsql'
import { z } from 'zod'
import { questionOf } from './question.mjs'

/** Mastra: a step suspends its workflow, whose snapshot its LibSQL store keeps; resuming the run is the answer. */
export async function openPeer({ database, onResume }) {
  const storage = new LibSQLStore({ id: 'bench', url: `file:${database}` })
  const mastra = new Mastra({ storage, workflows: { asking: askingWorkflow(onResume) }, logger: false })
  await storage.init()
  const workflow = mastra.getWorkflow('asking')
  return { ask, answer, close: async () => {} }

  async function ask(n) {
    const id = `run-${process.pid}-${n}`
    const run = await workflow.createRun({ runId: id })
    const { status, error } = await run.start({ inputData: { question: questionOf(n) } })
    if (status !== 'suspended') throw error ?? new Error(`the run is ${status}`)
    return id
  }

  async function answer(id) {
    const run = await workflow.createRun({ runId: id })
    const { status, error } = await run.resume({ step: 'ask', resumeData: { answer: 'PostgreSQL' } })
    if (status !== 'success') throw error ?? new Error(`the run is ${status}`)
  }
}

function askingWorkflow(onResume) {
  const ask = createStep({
    id: 'ask',
    inputSchema: z.object({ question: z.string() }),
    outputSchema: z.object({ answer: z.string() }),
    suspendSchema: z.object({ question: z.string() }),
    resumeSchema: z.object({ answer: z.string() }),
    execute: async ({ inputData, resumeData, suspend, runId }) => {
      if (!resumeData) return suspend({ question: inputData.question })
      onResume(runId)
      return { answer: resumeData.answer }
    },
  })
  return createWorkflow({ id: 'asking', inputSchema: ask.inputSchema, outputSchema: ask.outputSchema })
    .then(ask)
    .commit()
}
