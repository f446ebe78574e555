// Tests and their commands run as a person would run them: in an agent's shell, the commands that settle are refused.
const agentMarkers = ['CLAUDECODE', 'CODEX_SANDBOX', 'CODEX_THREAD_ID', 'OPENCODE', 'GEMINI_CLI', 'AI_AGENT']

for (const name of Object.keys(process.env)) {
  if (agentMarkers.includes(name) || /^(BECKON_|XDG_|GIT_)/.test(name)) delete process.env[name]
}
