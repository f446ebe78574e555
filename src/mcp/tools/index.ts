import { askTool } from './ask.ts'
import type { Tool } from './tool.ts'
import { waitTool } from './wait.ts'

export const tools: readonly Tool[] = [askTool, waitTool]
