import type { Request } from '../../../src/protocol/request.ts'
import { dangerLevel } from '../state/danger.ts'
import './icons.css'

/** Beckon's own mark. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true" className="mark">
      <rect width="64" height="64" rx="15" className="mark-ground" />
      <g fill="none" stroke="#fff" strokeWidth="5.5" strokeLinecap="round">
        <path d="M17 41a15 15 0 0 1 30 0" />
        <path d="M9.5 33.5a24 24 0 0 1 45 0" opacity=".45" />
      </g>
      <circle cx="32" cy="43.5" r="5.5" fill="#fff" />
    </svg>
  )
}

const paths = {
  inbox:
    'M3.5 13.5 6 5h12l2.5 8.5M3.5 13.5V18A1.5 1.5 0 0 0 5 19.5h14a1.5 1.5 0 0 0 1.5-1.5v-4.5M3.5 13.5H8.5a3.5 3.5 0 0 0 7 0h5',
  runs: 'M8 5.5v13l10.5-6.5L8 5.5Z',
  history: 'M12 7v5l3.5 2M4.5 12a7.5 7.5 0 1 0 2.2-5.3M4 4.5v3.7h3.7',
  settings: 'M4 8h9M17 8h3M4 16h3M11 16h9M15 8m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M9 16m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  question: 'M9 9.3a3 3 0 1 1 4.4 2.65c-.9.5-1.4 1.1-1.4 2.05M12 17.3v.2',
  dependency: 'M14.5 9.5m-3.7 0a3.7 3.7 0 1 0 7.4 0a3.7 3.7 0 1 0-7.4 0M11.8 12.2 6 18M8 16l2 2',
  approval: 'M6.5 8.5 10 12l-3.5 3.5M12.5 16h5',
  danger: 'M12 7v6.5M12 17.2v.3',
  review:
    'M3.5 12S6.5 6.5 12 6.5s8.5 5.5 8.5 5.5-3 5.5-8.5 5.5S3.5 12 3.5 12ZM12 12m-2.3 0a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0-4.6 0',
  back: 'M14.5 5.5 8 12l6.5 6.5',
  urgent: 'M12 4.5 21 19.5H3L12 4.5ZM12 10.5v4M12 17v.1',
  snooze: 'M19.5 13.5A7.5 7.5 0 1 1 10.5 4.5a6 6 0 0 0 9 9Z',
  filter: 'M5 8h14M8 12h8M10.5 16h3',
  keys: 'M3.5 7.5h17v9h-17zM7 10.5h.1M10.3 10.5h.1M13.6 10.5h.1M17 10.5h.1M8 13.6h8',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

/** The kind of a request at a glance. Decorative: its name is in the text beside it. */
export function KindMark({ request }: { request: Request }) {
  const danger = dangerLevel(request)
  return (
    <span className={`kind-mark ${request.kind} danger-${danger}`} aria-hidden="true">
      <Icon name={danger > 0 ? 'danger' : request.kind} />
    </span>
  )
}
