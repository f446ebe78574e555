import { UntrustedText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { useLog } from './use-log.ts'

const shownLines = 12
const longestLine = 300

/** The end of a run's log, as it grows. */
export function LastLines({ run }: { run: string }) {
  const { lines, caughtUp, elsewhere, failure } = useLog(run, false)
  const last = lines.filter(({ text }) => text.trim() !== '').slice(-shownLines)
  if (last.length === 0) {
    const text = failure ?? (elsewhere !== null ? t('The log is on another machine.') : t('No output yet.'))
    return <p className="quiet">{caughtUp || failure !== null ? text : t('Loading…')}</p>
  }
  return (
    <pre className="last-lines">
      {last.map((line, i) => (
        <span key={`${i}`} className={line.stream}>
          <UntrustedText text={line.text.replaceAll('\t', '  ').slice(0, longestLine)} />
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
