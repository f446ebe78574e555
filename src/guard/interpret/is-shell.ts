import { list } from '../word-list.ts'

const shells = new Set(list('sh bash zsh dash ksh mksh ash fish rbash tcsh csh yash'))

export function isShell(program: string): boolean {
  return shells.has(program)
}
