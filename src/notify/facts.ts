import type { Request, Run } from '../protocol/index.ts'
import { short } from './title.ts'

/** One thing that a reader wants to know before they open the inbox. */
export interface Fact {
  name: 'From' | 'On' | 'Project' | 'Danger' | 'Until' | 'Reminder'
  value: string
}

const longest = 60

/** Who asks, on which machine and in which project, how dangerous it is, and until when there is time, or when reminders come. */
export function factsOf(request: Request, timeZone?: string): Fact[] {
  const { agent, place } = request
  return [
    ...fact('From', place?.user ? `${agent.name} (${place.user})` : agent.name),
    ...fact('On', place?.host ?? ''),
    ...fact('Project', projectName(agent.cwd, agent.branch)),
    ...(request.kind === 'approval' ? fact('Danger', request.action.severity) : []),
    ...timing(request, timeZone),
  ]
}

/** Where the asker wants reminders, nothing ends at the deadline: the first reminder comes then. */
function timing({ deadline, onTimeout, remindAt }: Request, timeZone?: string): Fact[] {
  if (deadline === null) return []
  if (onTimeout !== 'remind') return fact('Until', `${moment(deadline, timeZone)}${endings[onTimeout]}`)
  const next = remindAt === undefined ? deadline : remindAt
  return next === null ? [] : fact('Reminder', moment(next, timeZone))
}

export function factsOfRun({ cwd, host }: Run): Fact[] {
  return [...fact('On', host ?? ''), ...fact('Project', projectName(cwd))]
}

/** Facts on one line: `From: claude (ana) · On: devbox`. */
export function factLine(facts: readonly Fact[]): string {
  return facts.map(({ name, value }) => `${name}: ${value}`).join(' · ')
}

function fact(name: Fact['name'], value: string): Fact[] {
  // Agents choose names: what looks like the end of a fact stays within it.
  const line = short(value, longest).replaceAll(/\s*·\s*/g, ', ')
  return line === '' ? [] : [{ name, value: line }]
}

/** The last folder of the path: the rest is of no use to a reader, and may name people. */
function projectName(directory: string, branch?: string): string {
  const name = directory.split(/[\\/]/).findLast(part => part !== '') ?? ''
  return branch ? `${name} (${branch})` : name
}

const endings = { default: ', then the default is used', fail: ', then it fails' }

function moment(iso: string, timeZone?: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(timeZone ? { timeZone } : {}),
  })
  return format.format(new Date(iso))
}
