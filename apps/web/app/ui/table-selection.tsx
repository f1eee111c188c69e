import { type ReactNode, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from './button.tsx'
import classes from './data-table.module.css'

export type TableSelection<Row> = {
  selected: ReadonlySet<string>
  toggle: (key: string) => void
  setAll: (keys: readonly string[]) => void
  /** How a row is called by a screen reader. */
  nameOf: (row: Row) => string
  /** What can be done with those chosen. */
  actions?: ReactNode
}

/** Remembers which rows are chosen, by their keys. Rows that are gone are forgotten. */
export function useTableSelection(keys: readonly string[], initial: readonly string[] = []) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(initial))
  return {
    selected: new Set(keys.filter((key) => chosen.has(key))),
    toggle: (key: string) => {
      const next = new Set(chosen)
      if (!next.delete(key)) next.add(key)
      setChosen(next)
    },
    setAll: (all: readonly string[]) => setChosen(new Set(all)),
  }
}

/** How many are chosen and what can be done with them; not there while none is. */
export function SelectionBar<Row>({ selection, keys }: { selection: TableSelection<Row>; keys: readonly string[] }) {
  const { t } = useTranslation()
  const count = selection.selected.size
  return (
    <div className={classes['selection']} hidden={count === 0} role="status">
      <strong>{t('table.selected', { count })}</strong>
      {count < keys.length && (
        <Button size="small" look="quiet" onClick={() => selection.setAll(keys)}>
          {t('table.selectAll')}
        </Button>
      )}
      <Button size="small" look="quiet" onClick={() => selection.setAll([])}>
        {t('table.selectNone')}
      </Button>
      {selection.actions !== undefined && <div className={classes['selectionActions']}>{selection.actions}</div>}
    </div>
  )
}
