import { Component, type ReactNode } from 'react'
import { t } from '../words/translate.ts'

/** Shows a way out when a page fails to render, instead of a blank screen. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div className="page" role="alert">
        <h1>{t('Something went wrong.')}</h1>
        <p className="quiet">{t('Your drafts are saved. Reloading the page usually helps.')}</p>
        <button type="button" className="primary" onClick={() => location.reload()}>
          {t('Reload')}
        </button>
      </div>
    )
  }
}
