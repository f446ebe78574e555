import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { Mishap } from './parts/mishap.tsx'
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
// Without them it speaks English.
await loadWords(navigator.languages).catch(() => {})
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
void import('./text/markdown.tsx').catch(() => {})
if ('serviceWorker' in navigator && window.isSecureContext) {
  navigator.serviceWorker.register('/sw.js').catch(() => {})
}
