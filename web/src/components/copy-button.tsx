import { useState } from 'react'
import { t } from '../words/translate.ts'
import './copy-button.css'

export function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <button type="button" className="copy" onClick={copy} onBlur={() => setCopied(false)}>
      {copied ? t('Copied') : t('Copy')}
    </button>
  )

  async function copy() {
    // Without HTTPS a browser may offer no clipboard. The person can still select the text.
    await navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => {},
    )
  }
}
