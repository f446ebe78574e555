import type { Classify } from '../../approval/classify.ts'
import { agentTool } from './agent.ts'
import { askUserQuestionTool } from './ask-user-question.ts'
import { bashTool } from './bash.ts'
import { editTool } from './edit.ts'
import { globTool } from './glob.ts'
import { grepTool } from './grep.ts'
import { presentPlanTool } from './present-plan.ts'
import { readTool } from './read.ts'
import { todoTool } from './todo.ts'
import type { Tool } from './tool.ts'
import { webFetchTool } from './web-fetch.ts'
import { writeTool } from './write.ts'

/** The tools of the built-in agent. */
export function allTools(classify: Classify): Tool[] {
  return [
    readTool,
    writeTool,
    editTool,
    globTool,
    grepTool,
    bashTool(classify),
    askUserQuestionTool,
    webFetchTool,
    todoTool,
    agentTool,
    presentPlanTool,
  ]
}
