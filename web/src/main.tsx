import './theme/tokens.css'
import './theme/reset.css'
import './theme/buttons.css'
import './theme/fields.css'
import './theme/common.css'
import './style/layout.css'
import './style/list.css'
import './style/text.css'
import './style/run.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { applyTheme } from './browser/theme.ts'
import { fitAboveKeyboard } from './browser/viewport.ts'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { loadMarkdown } from './text/lazy-markdown.tsx'
import { loadLanguage } from './words/translate.ts'

applyTheme()
fitAboveKeyboard()
// Without a dictionary the page is in English. A request page loads Markdown up front, or its content would jump.
await Promise.all([
  loadLanguage(navigator.languages).catch(() => {}),
  location.pathname.startsWith('/requests/') ? loadMarkdown().catch(() => {}) : null,
])
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
    </StrictMode>,
  )
}
// After the first paint, so that it is ready when the person opens a request.
void loadMarkdown().catch(() => {})
if ('serviceWorker' in navigator && window.isSecureContext) {
  navigator.serviceWorker.register('/sw.js').catch(() => {})
}
