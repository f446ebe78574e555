import { list } from '../../word-list.ts'

/** The variables by which Beckon knows that an agent runs it; src/system/agent-context.ts reads them. */
export const agentMarkers = list('BECKON_RUN CLAUDECODE CODEX_SANDBOX CODEX_THREAD_ID OPENCODE GEMINI_CLI AI_AGENT')
