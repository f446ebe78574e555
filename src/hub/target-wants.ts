import { type ChangeTarget, severities } from '../protocol/index.ts'
import { endOfQuiet } from '../rules/quiet-hours.ts'
import { urgentAt } from '../rules/urgent.ts'
import type { RequestRecord, RunRecord, TargetRecord, TargetWants } from '../store/records.ts'

// Which requests a target hears of, and when. Several targets with growing delays are an escalation: a request that is
// settled in time never reaches the later ones.

/** When the target hears of a new request; null for never. */
export function dueTime(target: TargetRecord, request: RequestRecord): number | null {
  if (!wantsRequest(target, request)) return null
  const { urgentOnly = false, after = 0 } = target.wants
  const start = request.createdAt + after
  if (!urgentOnly) return start
  const urgent = urgentAt(request, request.createdAt)
  return urgent === null ? null : Math.max(start, urgent)
}

/** When the target hears of a run that failed; null for never. A target for kinds of requests hears of nothing else. */
export function dueTimeOfRun(target: TargetRecord, run: RunRecord, at: number): number | null {
  const { kinds, urgentOnly = false, after = 0, projects = null } = target.wants
  if (kinds !== null || urgentOnly || !isIn(projects, run.cwd)) return null
  return at + after
}

/** Whether a reminder of the request reaches the target: not before its first message would. */
export function wantsReminder(target: TargetRecord, request: RequestRecord, at: number): boolean {
  const due = dueTime(target, request)
  return due !== null && due <= at
}

/** Until when quiet hours hold a message back now; null where they do not. */
export function quietUntil({ wants }: TargetRecord, request: RequestRecord | null, now: number): number | null {
  const { quiet = null, timeZone = 'UTC' } = wants
  if (quiet === null) return null
  const end = endOfQuiet(quiet, timeZone, now)
  const urgent = quiet.exceptUrgent && request ? urgentAt(request, now) : null
  if (end === null || urgent === null) return end
  return urgent <= now ? null : Math.min(end, urgent)
}

/** Only approvals have a severity: a minimum does not keep other kinds away. */
export function wantsRequest({ wants }: TargetRecord, request: RequestRecord): boolean {
  const { kinds, minSeverity, projects = null } = wants
  if (kinds !== null && !kinds.includes(request.kind)) return false
  if (!isIn(projects, request.agent.cwd)) return false
  if (minSeverity === null || request.kind !== 'approval') return true
  const { action } = request.body as { action: { severity: (typeof severities)[number] } }
  return severities.indexOf(action.severity) >= severities.indexOf(minSeverity)
}

/** In one of the projects: a folder by its path, or any folder of that name. */
function isIn(projects: readonly string[] | null, directory: string): boolean {
  if (projects === null) return true
  const folders = foldersIn(directory)
  return projects.some(project => {
    if (!/[\\/]/.test(project)) return folders.includes(project)
    return foldersIn(project).every((folder, i) => folders[i] === folder)
  })
}

function foldersIn(path: string): string[] {
  return path.split(/[\\/]+/).filter(folder => folder !== '')
}

/** What is not given stays; null takes it away. Quiet hours are by the clock of this machine unless a time zone is given. */
export function changeWants(wants: TargetWants, changes: ChangeTarget): TargetWants {
  const { kinds, minSeverity, ...others } = changes
  const merged: ChangeTarget = { ...wants, ...withoutUndefined(others) }
  const timeZone = merged.timeZone ?? (merged.quiet ? Intl.DateTimeFormat().resolvedOptions().timeZone : null)
  const set = Object.entries({ ...merged, timeZone }).filter(([, value]) => value !== null && value !== false)
  return {
    ...(Object.fromEntries(set) as Partial<TargetWants>),
    kinds: kinds === undefined ? wants.kinds : kinds,
    minSeverity: minSeverity === undefined ? wants.minSeverity : minSeverity,
  }
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}
