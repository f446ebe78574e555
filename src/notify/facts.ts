import type { Request, Run } from '../protocol/index.ts'
import { short } from './title.ts'

/** One thing that a reader wants to know before they open the inbox. */
export interface Fact {
  name: 'From' | 'On' | 'Project' | 'Danger' | 'Until'
  value: string
}

const longest = 60

/** Who asks, on which machine and in which project, how dangerous it is, and until when there is time. */
export function factsOf(request: Request, timeZone?: string): Fact[] {
  const { agent, place } = request
  return [
    ...fact('From', place?.user ? `${agent.name} (${place.user})` : agent.name),
    ...fact('On', place?.host ?? ''),
    ...fact('Project', projectName(agent.cwd, agent.branch)),
    ...(request.kind === 'approval' ? fact('Danger', request.action.severity) : []),
    ...(request.deadline === null
      ? []
      : fact('Until', `${moment(request.deadline, timeZone)}${endings[request.onTimeout]}`)),
  ]
}

export function factsOfRun({ cwd, host }: Run): Fact[] {
  return [...fact('On', host ?? ''), ...fact('Project', projectName(cwd))]
}

/** Facts on one line: `From: claude (ana) · On: devbox`. */
export function factLine(facts: readonly Fact[]): string {
  return facts.map(({ name, value }) => `${name}: ${value}`).join(' · ')
}

function fact(name: Fact['name'], value: string): Fact[] {
  const line = short(value, longest)
  return line === '' ? [] : [{ name, value: line }]
}

/** The last folder of the path: the rest is of no use to a reader, and may name people. */
function projectName(directory: string, branch?: string): string {
  const name = directory.split(/[\\/]/).findLast(part => part !== '') ?? ''
  return branch ? `${name} (${branch})` : name
}

const endings: Record<Request['onTimeout'], string> = {
  default: ', then the default is used',
  fail: ', then it fails',
  remind: '',
}

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
