import { Checkbox, TextInput } from '@mantine/core'
import { IconChevronDown, IconSearch } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './choices-filter.module.css'
import { Dropdown } from './dropdown.tsx'
import { readChoices, useTableAddress } from './table-address.ts'

type Choice = { value: string; label: string }
type Group = { group: string; items: readonly Choice[] }

/** Any of many, by subject: found by their words, chosen one by one or a whole subject at once. None chosen: all. */
export function ChoicesFilter({
  name,
  label,
  any,
  groups,
}: {
  name: string
  label: string
  /** What is said while none is chosen. */
  any: string
  groups: readonly Group[]
}) {
  const { t } = useTranslation()
  const id = useId()
  const { search, go } = useTableAddress()
  const [words, setWords] = useState('')
  const inAddress = search.get(name) ?? ''
  // At once, and not only when the list has followed.
  const [chosen, setChosen] = useState(() => readChoices(search, name))
  const [seen, setSeen] = useState(inAddress)
  // Changed from elsewhere: going back, or filters cleared.
  if (seen !== inAddress) {
    setSeen(inAddress)
    setChosen(readChoices(search, name))
  }
  const items = groups.flatMap((group) => group.items)
  const known = items.filter(({ value }) => chosen.includes(value))
  const choose = (values: readonly string[], isWanted: boolean) => {
    const others = known.map(({ value }) => value).filter((value) => !values.includes(value))
    const next = [...others, ...(isWanted ? values : [])]
    setChosen(next)
    go({ [name]: next.join(',') })
  }
  const shown = found(groups, words)
  const said =
    known.length === 0 ? any : known.length === 1 ? known[0]!.label : t('table.chosen', { count: known.length })
  return (
    <div className={classes['filter']}>
      <span className={classes['label']} id={id}>
        {label}
      </span>
      <Dropdown
        className={classes['box']}
        summary={
          <span className={classes['said']}>
            <span className="visually-hidden">{label}: </span>
            <span>{said}</span>
            <IconChevronDown size={16} aria-hidden="true" />
          </span>
        }
      >
        <div className={classes['panel']} role="group" aria-labelledby={id}>
          <TextInput
            type="search"
            aria-label={t('table.findChoice')}
            placeholder={t('table.findChoice')}
            leftSection={<IconSearch size={16} aria-hidden="true" />}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <div className={classes['groups']}>
            {shown.length === 0 && <p className={classes['none']}>{t('table.noChoice')}</p>}
            {shown.map(({ group, items: ofGroup }) => {
              const values = ofGroup.map(({ value }) => value)
              const count = values.filter((value) => chosen.includes(value)).length
              return (
                <fieldset key={group}>
                  <legend className="visually-hidden">{group}</legend>
                  <Checkbox
                    className={classes['subject'] ?? ''}
                    size="xs"
                    label={group}
                    checked={count === values.length}
                    indeterminate={count > 0 && count < values.length}
                    onChange={(event) => choose(values, event.currentTarget.checked)}
                  />
                  {ofGroup.map((item) => (
                    <Checkbox
                      key={item.value}
                      className={classes['choice'] ?? ''}
                      size="xs"
                      label={item.label}
                      checked={chosen.includes(item.value)}
                      onChange={(event) => choose([item.value], event.currentTarget.checked)}
                    />
                  ))}
                </fieldset>
              )
            })}
          </div>
        </div>
      </Dropdown>
    </div>
  )
}

/** Without accents: who types none finds them too. */
const plain = (text: string) => text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ł', 'l')

/** What holds all the words; of a subject that does, everything. */
function found(groups: readonly Group[], words: string): Group[] {
  const wanted = plain(words).split(/\s+/).filter(Boolean)
  const fits = (text: string) => wanted.every((word) => plain(text).includes(word))
  return groups
    .map(({ group, items }) => ({ group, items: fits(group) ? items : items.filter(({ label }) => fits(label)) }))
    .filter(({ items }) => items.length > 0)
}
