import type { Run } from '../../../src/protocol/run.ts'
import { useNow } from '../components/use-now.ts'
import { useRunRequests } from '../state/run-requests.ts'
import { duration } from '../words/times.ts'
import { t } from '../words/translate.ts'
import { type Doing, runPhases, timeSpent } from './run-phases.ts'
import { useRunEvents } from './use-run-events.ts'
import './run-picture.css'

const order: readonly Doing[] = ['working', 'waiting', 'asleep', 'paused']

/** A run over time, as one bar: when it worked, waited for a person, slept or was paused, and for how long. */
export function RunPicture({ run }: { run: Run }) {
  const own = useRunRequests(run.id)
  const phases = runPhases(run, own, useRunEvents(run.id), useNow())
  const spent = timeSpent(phases)
  const total = phases.reduce((sum, { from, to }) => sum + to - from, 0)
  const says = order
    .filter(doing => spent[doing] > 0)
    .map(doing => ({ doing, text: doingText(doing, duration(spent[doing])) }))
  return (
    <div className="run-picture">
      <div className="run-picture-bar" role="img" aria-label={says.map(({ text }) => text).join(', ')}>
        {total > 0 &&
          phases.map(({ doing, from, to }) => (
            <i
              key={from}
              className={`doing-${doing}`}
              style={{ flexGrow: to - from }}
              title={doingText(doing, duration(to - from))}
            />
          ))}
      </div>
      <p className="run-picture-legend">
        {says.map(({ doing, text }) => (
          <span key={doing}>
            <i className={`doing-${doing}`} aria-hidden="true" />
            {text}
          </span>
        ))}
      </p>
    </div>
  )
}

function doingText(doing: Doing, time: string): string {
  switch (doing) {
    case 'working':
      return t('worked {time}', { time })
    case 'waiting':
      return t('waited {time}', { time })
    case 'asleep':
      return t('slept {time}', { time })
    case 'paused':
      return t('paused {time}', { time })
  }
}
