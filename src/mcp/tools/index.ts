import { approveTool } from './approve.ts'
import { askTool } from './ask.ts'
import { cancelTool } from './cancel.ts'
import { needTool } from './need.ts'
import { permissionTool } from './permission.ts'
import { replyTool } from './reply.ts'
import { reviewTool } from './review.ts'
import type { Tool } from './tool.ts'
import { waitTool } from './wait.ts'

/** The tools, in the order in which models see them. */
export const tools: readonly Tool[] = [askTool, approveTool, needTool, reviewTool, replyTool, waitTool, cancelTool]

/** With the tool that Claude asks for permission. */
export const toolsForPermissionHost: readonly Tool[] = [...tools, permissionTool]
