import '#app/ui/panel-styles.ts'
import { useMantineColorScheme } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { Segmented } from '#app/ui/segmented.tsx'
import { Buttons, Choices, Dialogs, Fields } from './controls.tsx'
import { Charts, Code } from './figures.tsx'
import classes from './gallery.module.css'
import { Cards, Empty, Errors, Headers, Loading, StatusPages } from './surfaces.tsx'
import { TableStates, WholeTable } from './tables.tsx'
import { Addresses, Amounts, Colours, Facts, States, Type } from './values.tsx'

const sections = {
  colours: Colours,
  type: Type,
  states: States,
  money: Amounts,
  address: Addresses,
  facts: Facts,
  buttons: Buttons,
  choices: Choices,
  fields: Fields,
  dialogs: Dialogs,
  headers: Headers,
  cards: Cards,
  empty: Empty,
  errors: Errors,
  loading: Loading,
  'status-pages': StatusPages,
  table: WholeTable,
  'table-states': TableStates,
  charts: Charts,
  code: Code,
}
const words = { title: 'Gallery', theme: 'Theme' }

/**
 * `/{lang}/gallery`: every component in every state; `?only=money` shows one section. For development, and for the
 * pictures that tests compare. No production build contains it.
 */
export default function Gallery() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [search] = useSearchParams()
  const only = search.get('only')
  return (
    <main className={classes['page']}>
      <div className={classes['head']}>
        <h1>{words.title}</h1>
        <Segmented
          label={words.theme}
          value={colorScheme}
          onChange={setColorScheme}
          options={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: value }))}
        />
      </div>
      {Object.entries(sections)
        .filter(([id]) => only === null || only === id)
        .map(([id, Body]) => (
          <section key={id} className={classes['section']} data-gallery={id}>
            <h2>{id}</h2>
            <div className={classes['specimens']}>
              <Body />
            </div>
          </section>
        ))}
    </main>
  )
}
