import { useState } from 'react'
import { t } from '../words/words.ts'

export function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <button type="button" className="copy" onClick={copy} onBlur={() => setCopied(false)}>
      {copied ? t('Copied') : t('Copy')}
    </button>
  )

  async function copy() {
    // Without HTTPS a browser may give no clipboard; then the text is still there to be selected.
    await navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => {},
    )
  }
}
