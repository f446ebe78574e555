// Tests, and the commands they start, run as a person would run them: in agent context the settling commands refuse.
const agentMarkers = ['CLAUDECODE', 'CODEX_SANDBOX', 'CODEX_THREAD_ID', 'OPENCODE', 'GEMINI_CLI', 'AI_AGENT']

for (const name of Object.keys(process.env)) {
  if (agentMarkers.includes(name) || /^(BECKON_|XDG_|GIT_)/.test(name)) delete process.env[name]
}
