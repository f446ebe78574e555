import './start.ts'
import './theme/tokens.css'
import './theme/reset.css'
import './theme/buttons.css'
import './theme/fields.css'
import './theme/common.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { preload } from './app/preload.ts'
import { keepUpToDate } from './app/worker.ts'
import './browser/install.ts'
import { applyTheme } from './browser/theme.ts'
import { fitAboveKeyboard } from './browser/viewport.ts'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { loadMarkdown } from './text/lazy-markdown.tsx'
import { loadLanguage } from './words/translate.ts'

applyTheme()
fitAboveKeyboard()
keepUpToDate(preload())
// Without a dictionary the page is in English.
await loadLanguage(navigator.languages).catch(() => {})
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
