import { opensElsewhere } from '../rules/reachable.ts'
import { short } from './title.ts'

/** Opens the request or the run in the inbox. */
export interface Link {
  url: string
  /** The only machine that can open it; null where others can, too. */
  onlyOn: string | null
}

export function linkTo(path: string, { inbox, host }: { inbox: string; host: string }): Link {
  const url = path === '' ? inbox : `${inbox}/${path}`
  return { url, onlyOn: opensElsewhere(inbox) ? null : short(host, 60) }
}

/** The address, with the machine that it opens on where no other can open it. */
export function linkText({ url, onlyOn }: Link): string {
  return onlyOn === null ? url : `${url} (opens on ${onlyOn} only)`
}
