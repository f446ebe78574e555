import { titleOf } from '../../src/rules/title.ts'
import type { Known } from './live.ts'
import { headline } from './request/headline.ts'
import type { Route } from './router.tsx'
import { titleText } from './text/untrusted-text.tsx'
import { pendingOf } from './waiting.ts'
import { t } from './words/words.ts'

/** What stands on the tab: how many wait, and what this page is about. */
export function pageTitle(route: Route, known: Known): string {
  const waiting = pendingOf(known.requests).length
  return `${waiting > 0 ? `(${waiting}) ` : ''}${titleText(nameOf(route, known), 80)} · Beckon`
}

function nameOf(route: Route, { requests, runs }: Known): string {
  switch (route.page) {
    case 'inbox':
      return t('Inbox')
    case 'request': {
      const request = requests.get(route.id)
      if (!request) return t('Inbox')
      return request.kind === 'question' || request.kind === 'approval' ? titleOf(request) : headline(request)
    }
    case 'runs':
      return t('Runs')
    case 'run':
      return runs.get(route.id)?.name ?? t('Runs')
    case 'history':
      return t('History')
    case 'settings':
      return t('Settings')
    case 'nowhere':
      return t('There is nothing here')
  }
}
