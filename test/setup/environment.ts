// Tests, and the commands they start, run as a person's would: in agent context the settling commands refuse to work.
const agentMarkers = ['CLAUDECODE', 'CODEX_SANDBOX', 'CODEX_THREAD_ID', 'OPENCODE', 'GEMINI_CLI', 'AI_AGENT']

for (const name of Object.keys(process.env)) {
  if (agentMarkers.includes(name) || name.startsWith('BECKON_')) delete process.env[name]
}
