import { titleOf } from '../../../src/rules/title.ts'
import type { Route } from '../route.ts'
import type { HubState } from '../state/hub-state.ts'
import { titleText } from '../text/untrusted-text.tsx'
import { requestTitle } from '../words/request-title.ts'
import { t } from '../words/translate.ts'

/** The title of the tab: how many requests wait, and what this page shows. */
export function pageTitle(route: Route, known: HubState, waiting: number): string {
  return `${waiting > 0 ? `(${waiting}) ` : ''}${titleText(pageName(route, known), 80)} · Beckon`
}

function pageName(route: Route, { requests, runs }: HubState): string {
  switch (route.page) {
    case 'inbox':
      return t('Inbox')
    case 'request': {
      const request = requests.get(route.id)
      if (!request) return t('Inbox')
      return request.kind === 'question' || request.kind === 'approval' ? titleOf(request) : requestTitle(request)
    }
    case 'runs':
      return t('Runs')
    case 'run':
      return runs.get(route.id)?.name ?? t('Runs')
    case 'history':
      return t('History')
    case 'settings':
      return t('Settings')
    case 'not-found':
      return t('Page not found')
  }
}
