import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { type Judged, type Place, ToolFault } from './tool.ts'

/** The path as the system has it; `~` is the home folder. */
function resolvePath(path: string, { cwd }: Pick<Place, 'cwd'>): string {
  const expanded = path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
  return resolve(cwd, expanded)
}

/** Paths stay inside the workspace; whatever leads out of it, links included, is for a person to allow. */
export function judgePath(tool: string, path: string, place: Place, detail = ''): Judged | null {
  const where = whereItLeads(resolvePath(path, place))
  if (isAllowed(where, tool, place)) return null
  const command = `${tool} ${where}${detail}`
  const own = isInside(where, whereItLeads(place.home))
  return {
    command,
    verdict: own ? 'deny' : 'ask',
    severity: tool === 'Write' || tool === 'Edit' ? 'high' : 'medium',
    reasons: [
      own
        ? {
            rule: 'agent.own-files',
            message: "These are Beckon's own files: its key, its database",
            span: [0, command.length],
          }
        : { rule: 'agent.outside', message: `It is outside of the workspace ${place.cwd}`, span: [0, command.length] },
    ],
    safer: null,
  }
}

/** The same, asked again at the moment of use: a link may have been changed since. */
export function insidePath(tool: string, path: string, place: Place & { allowed: boolean }): string {
  const resolved = resolvePath(path, place)
  if (place.allowed || isAllowed(whereItLeads(resolved), tool, place)) return resolved
  throw new ToolFault(`${path} is outside of the workspace.`, `Use paths inside of ${place.cwd}.`)
}

function isAllowed(where: string, tool: string, { cwd, readable, home }: Place): boolean {
  const onlyLooks = tool !== 'Write' && tool !== 'Edit'
  if (onlyLooks && readable.some(folder => isInside(where, whereItLeads(folder)))) return true
  if (isInside(where, whereItLeads(home))) return false
  return isInside(where, whereItLeads(cwd))
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`))
}

/** The real place of a path whose end may not exist yet. */
function whereItLeads(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    if (parent === path) return path
    const target = linkTarget(path)
    return target === null ? join(whereItLeads(parent), basename(path)) : whereItLeads(resolve(parent, target))
  }
}

/** A link that leads nowhere yet is where writing would go. */
function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null
  } catch {
    return null
  }
}
