import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { Mishap } from './parts/error-boundary.tsx'
import { loadMarkdown } from './text/lazy-markdown.tsx'
import { showTheme } from './theme.ts'
import { fitAboveKeyboard } from './viewport.ts'
import { loadWords } from './words/words.ts'
import './style/base.css'
import './style/layout.css'
import './style/list.css'
import './style/form.css'
import './style/text.css'
import './style/run.css'

showTheme()
fitAboveKeyboard()
// Without its words it speaks English. Who comes to a request needs the rest of it at once, or it would move when it comes.
await Promise.all([
  loadWords(navigator.languages).catch(() => {}),
  location.pathname.startsWith('/requests/') ? loadMarkdown().catch(() => {}) : null,
])
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Mishap>
        <App />
      </Mishap>
    </StrictMode>,
  )
}
// After the first paint, so that it is there when a request is opened.
void loadMarkdown().catch(() => {})
if ('serviceWorker' in navigator && window.isSecureContext) {
  navigator.serviceWorker.register('/sw.js').catch(() => {})
}
