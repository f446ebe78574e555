import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Json } from '../../protocol/canonical-json.ts'
import { type ProposedAction, ToolError, type Workspace } from './tool.ts'

/** Paths stay inside the workspace. A person decides about everything that leads out of it, links included. */
export function judgePath(
  tool: string,
  path: string,
  workspace: Workspace,
  detail: Record<string, Json> = {},
): ProposedAction | null {
  const target = realPath(resolvePath(path, workspace))
  if (isAllowed(target, tool, workspace)) return null
  const isOurs = isInside(target, realPath(workspace.home))
  const [rule, message] = isOurs
    ? ['agent.own-files', "These are Beckon's own files: its key, its database"]
    : ['agent.outside', `It is outside the workspace ${workspace.cwd}`]
  return {
    action: { tool, input: { path: target, ...detail }, cwd: workspace.cwd },
    verdict: isOurs ? 'deny' : 'ask',
    severity: tool === 'Write' || tool === 'Edit' ? 'high' : 'medium',
    reasons: [{ rule, message, span: [0, 0] }],
    safer: null,
  }
}

/** The same check at the moment of use: a link may have changed since. */
export function insidePath(tool: string, path: string, workspace: Workspace & { allowed: boolean }): string {
  const resolved = resolvePath(path, workspace)
  if (workspace.allowed || isAllowed(realPath(resolved), tool, workspace)) return resolved
  throw new ToolError(`${path} is outside the workspace.`, `Use paths inside ${workspace.cwd}.`)
}

/** An absolute path; `~` is the home folder. */
function resolvePath(path: string, { cwd }: Workspace): string {
  const expanded = path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
  return resolve(cwd, expanded)
}

function isAllowed(target: string, tool: string, { cwd, readable, home }: Workspace): boolean {
  const onlyReads = tool !== 'Write' && tool !== 'Edit'
  if (onlyReads && readable.some(folder => isInside(target, realPath(folder)))) return true
  if (isInside(target, realPath(home))) return false
  return isInside(target, realPath(cwd))
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`))
}

/** Where a path leads, even if its last parts do not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    if (parent === path) return path
    const target = linkTarget(path)
    return target === null ? join(realPath(parent), basename(path)) : realPath(resolve(parent, target))
  }
}

/** A dangling link is where a write would go. */
function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null
  } catch {
    return null
  }
}
