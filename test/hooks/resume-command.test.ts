import { describe, expect, it } from 'vitest'
import { claudeResumeCommand } from '../../src/hooks/claude/resume-command.ts'

describe('the command that resumes claude -p', () => {
  it.each([
    [
      'claude -p Fix --allowedTools Bash Edit --model opus',
      'claude -p --resume S --allowedTools Bash Edit --model opus',
    ],
    ['claude -p --resume OLD --settings /a.json --verbose', 'claude -p --resume S --settings /a.json --verbose'],
    [
      'node /opt/claude/cli.js -p Fix --permission-mode=plan',
      'node /opt/claude/cli.js -p --resume S --permission-mode=plan',
    ],
  ])('%s', (started, resumed) => {
    expect(claudeResumeCommand(started.split(' '), 'S')?.join(' ')).toBe(resumed)
  })

  it.each(['claude -p --input-format stream-json', 'claude --never-heard-of -p Fix', 'node --eval 1', ''])(
    'does not exist for: %s',
    started => {
      expect(claudeResumeCommand(started.split(' ').filter(Boolean), 'S')).toBeNull()
    },
  )
})
