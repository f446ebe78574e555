import { useMemo } from 'react'
import { CopyButton } from '../components/copy-button.tsx'
import { t } from '../words/translate.ts'
import { highlight } from './highlight.ts'
import { UntrustedText, UntrustedTitle } from './untrusted-text.tsx'
import './code.css'

/** Code or a diff, exactly as written, with the language and the rest of the fence's info string above it. */
export function Code({ text, caption = '', label }: { text: string; caption?: string; label?: string }) {
  const [language = ''] = caption.trim().split(/\s/)
  const lines = useMemo(() => highlight(text, language), [text, language])
  return (
    <figure className="code">
      {caption.trim() === '' ? (
        <div className="code-tools">
          <CopyButton text={text} />
        </div>
      ) : (
        <figcaption>
          <span>
            <UntrustedTitle text={caption} longest={80} />
          </span>
          <CopyButton text={text} />
        </figcaption>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="wide" tabIndex={0} aria-label={label ?? t('Code')}>
        <pre>
          <code>
            {lines.map((line, i) => (
              <span key={`${i}`} className={lineClass(line[0]?.tint)}>
                {line.map((piece, at) => (
                  <span key={`${at}`} className={piece.tint ? `tint-${piece.tint}` : undefined}>
                    <UntrustedText text={piece.text.replaceAll('\t', '  ')} />
                  </span>
                ))}
                {'\n'}
              </span>
            ))}
          </code>
        </pre>
      </section>
    </figure>
  )
}

function lineClass(tint: string | null | undefined): string {
  return tint === 'added' || tint === 'removed' || tint === 'hunk' || tint === 'file' ? `line line-${tint}` : 'line'
}
