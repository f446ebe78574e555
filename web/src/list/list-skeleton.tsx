import { t } from '../words/translate.ts'
import './list-skeleton.css'

const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** The shape of the list until it is read. */
export function ListSkeleton() {
  return (
    <ul className="list-skeleton" aria-busy="true" aria-label={t('Loading…')}>
      {rows.map(row => (
        <li key={row}>
          <i />
          <i />
          <i />
        </li>
      ))}
    </ul>
  )
}
