import { Component, type ReactNode } from 'react'
import { t } from '../words/words.ts'

/** Where a page cannot be shown, it says so and offers the way out, instead of going blank. */
export class Mishap extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div className="page" role="alert">
        <h1>{t('Something went wrong.')}</h1>
        <p className="quiet">{t('What you wrote is kept. Loading the page again usually helps.')}</p>
        <button type="button" className="primary" onClick={() => location.reload()}>
          {t('Reload')}
        </button>
      </div>
    )
  }
}
