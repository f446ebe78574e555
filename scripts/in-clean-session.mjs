// Runs a command in a new session, without the variables by which Beckon knows an agent's shell and without Beckon's own
// settings: tests then run as a person would run them, whoever started them. Plain JavaScript without dependencies,
// because `.ci/run` starts with it on whatever Node is installed.
//
//   node scripts/in-clean-session.mjs COMMAND ARGUMENT…
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const markers = ['CLAUDECODE', 'CODEX_SANDBOX', 'CODEX_THREAD_ID', 'OPENCODE', 'GEMINI_CLI', 'AI_AGENT']
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

// Where the agents for tests are installed: for the tests, not for Beckon.
const keptSetting = 'BECKON_TEST_AGENTS'

// Set for what runs inside, which then starts no session of its own.
const inside = 'IN_CLEAN_SESSION'

const [command = '', ...args] = process.argv.slice(2)
const isFirst = !process.env[inside]
// On Linux and macOS, a detached process leads a new session, which Ctrl-C does not reach.
const child = spawn(command, args, { env: cleanEnvironment(), stdio: 'inherit', detached: isFirst })
child.on('error', error => {
  console.error(`${command} cannot be started: ${error.message}`)
  process.exit(127)
})
for (const signal of signals) process.on(signal, () => passOn(signal))
child.on('exit', (code, signal) => end(code, signal))

function cleanEnvironment() {
  const isForAgents = name => markers.includes(name) || (name.startsWith('BECKON_') && name !== keptSetting)
  const kept = Object.entries(process.env).filter(([name]) => !isForAgents(name))
  return { ...Object.fromEntries(kept), [inside]: '1' }
}

/** To every process of the group, as a terminal would. Inside, a terminal or the outer call has done so. */
function passOn(signal) {
  try {
    if (isFirst) process.kill(-child.pid, signal)
    else if (signal === 'SIGTERM') child.kill(signal)
  } catch {
    // It has just ended.
  }
}

/** Ends as the command did. */
function end(code, signal) {
  if (signal === null) process.exit(code)
  for (const one of signals) process.removeAllListeners(one)
  process.kill(process.pid, signal)
  // A signal that does not end this process.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 1_000)
}
