import { type Kind, kinds } from '../../../src/protocol/status.ts'
import { useHubState } from '../state/hub-state.ts'
import { useInbox } from '../state/inbox.ts'
import type { View } from '../state/view.ts'
import { projectNames } from '../text/project-names.ts'
import { titleText } from '../text/untrusted-text.tsx'
import { plainKindName } from '../words/names.ts'
import { t } from '../words/translate.ts'
import { changeView } from './change-view.ts'
import './filters.css'

const hour = 60 * 60_000
const day = 24 * hour

interface Chip {
  readonly name: keyof View
  readonly any: string
  readonly choices: readonly (readonly [value: string, label: string])[]
}

/** Kind, project, agent, run and age as small chips; a chip that narrows the list down is coloured. */
export function Filters({ view }: { view: View }) {
  const { projects, agents } = useInbox()
  const { runs } = useHubState()
  const nameOf = projectNames(projects.map(({ directory }) => directory))
  const chips: Chip[] = [
    { name: 'kind', any: t('Kind'), choices: kinds.map(kind => [kind, plainKindName(kind)]) },
    { name: 'project', any: t('Project'), choices: projects.map(({ directory }) => [directory, nameOf(directory)]) },
    { name: 'agent', any: t('Agent'), choices: agents.map(({ name }) => [name, titleText(name, 40)]) },
    {
      name: 'run',
      any: t('Run'),
      choices: [...runs.values()]
        .filter(({ id, endedAt }) => endedAt === null || id === view.run)
        .map(({ id, name }) => [id, titleText(name, 40)]),
    },
    {
      name: 'olderThan',
      any: t('Age'),
      choices: [
        [String(hour), t('over an hour')],
        [String(day), t('over a day')],
        [String(7 * day), t('over a week')],
      ],
    },
  ]
  return (
    <fieldset className="filters-chips">
      <legend className="visually-hidden">{t('Filters')}</legend>
      {chips.map(({ name, any, choices }) => {
        const value = view[name] === undefined ? '' : String(view[name])
        const known = value === '' || choices.some(([choice]) => choice === value)
        return (
          <select
            key={name}
            className="filter-chip"
            aria-label={any}
            value={value}
            data-active={value !== '' || undefined}
            onChange={event => set(name, event.target.value)}
          >
            <option value="">{any}</option>
            {!known && <option value={value}>{titleText(value, 40)}</option>}
            {choices.map(([choice, label]) => (
              <option key={choice} value={choice}>
                {label}
              </option>
            ))}
          </select>
        )
      })}
      {view.alike !== undefined && (
        <button type="button" className="filter-chip" data-active onClick={() => set('alike', '')}>
          {t('Alike')} ×
        </button>
      )}
    </fieldset>
  )

  function set(name: keyof View, value: string) {
    const { [name]: _, ...rest } = view
    const given = value === '' ? {} : { [name]: name === 'olderThan' ? Number(value) : (value as Kind) }
    changeView({ ...rest, ...given, view: view.view })
  }
}
