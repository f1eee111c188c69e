/**
 * Which entries of a list are chosen, and where the keyboard is. Works on names, in the order in which they are shown, so
 * that a list that changes underneath loses only what is gone.
 */

export type Selection = {
  chosen: ReadonlySet<string>
  /** Where the keyboard is. */
  cursor: string | null
  /** Where a range begins. */
  anchor: string | null
}

export const noSelection: Selection = { chosen: new Set(), cursor: null, anchor: null }

/** How a click or a key changes what is chosen: that alone, that too (or no more), or all from the anchor to it. */
export type Manner = 'only' | 'toggle' | 'range'

export function mannerOf({ shiftKey, ctrlKey, metaKey }: Record<'shiftKey' | 'ctrlKey' | 'metaKey', boolean>): Manner {
  if (shiftKey) return 'range'
  return ctrlKey || metaKey ? 'toggle' : 'only'
}

export function choose(selection: Selection, names: readonly string[], name: string, manner: Manner): Selection {
  if (manner === 'only') return { chosen: new Set([name]), cursor: name, anchor: name }
  if (manner === 'toggle') {
    const chosen = new Set(selection.chosen)
    if (!chosen.delete(name)) chosen.add(name)
    return { chosen, cursor: name, anchor: name }
  }
  const from = names.indexOf(selection.anchor ?? selection.cursor ?? name)
  const to = names.indexOf(name)
  const [first, last] = from < to ? [from, to] : [to, from]
  const anchor = from < 0 ? name : names[from]!
  return { chosen: new Set(names.slice(Math.max(0, first), last + 1)), cursor: name, anchor }
}

/** Moves the keyboard by so many rows, or to the first or last one. `manner` `toggle` moves and chooses nothing. */
export function move(
  selection: Selection,
  names: readonly string[],
  step: number | 'first' | 'last',
  manner: Manner,
): Selection {
  if (names.length === 0) return selection
  const at = selection.cursor === null ? -1 : names.indexOf(selection.cursor)
  const wanted = step === 'first' ? 0 : step === 'last' ? names.length - 1 : at < 0 && step < 0 ? 0 : at + step
  const name = names[Math.min(Math.max(0, wanted), names.length - 1)]!
  if (manner === 'toggle') return { ...selection, cursor: name }
  return choose(selection, names, name, manner)
}

export const chooseAll = (selection: Selection, names: readonly string[]): Selection => ({
  ...selection,
  chosen: new Set(names),
})

export const chooseNone = (selection: Selection): Selection => ({ ...selection, chosen: new Set(), anchor: null })

/** The same without what is not there any more. `cursor` and `anchor` go with it. */
export function retain(selection: Selection, isThere: (name: string) => boolean): Selection {
  const chosen = new Set([...selection.chosen].filter(isThere))
  const keep = (name: string | null) => (name !== null && isThere(name) ? name : null)
  const [cursor, anchor] = [keep(selection.cursor), keep(selection.anchor)]
  const isSame = chosen.size === selection.chosen.size && cursor === selection.cursor && anchor === selection.anchor
  return isSame ? selection : { chosen, cursor, anchor }
}

/** The first name after the cursor that begins with what was typed, going round. */
export function findByLetters(names: readonly string[], cursor: string | null, typed: string): string | undefined {
  const wanted = typed.toLowerCase()
  // One letter goes on to the next name; more look from where one is.
  const at = cursor === null ? -1 : names.indexOf(cursor)
  const from = typed.length > 1 ? Math.max(0, at) : at + 1
  const begins = (name: string) => name.toLowerCase().startsWith(wanted)
  return names.slice(from).find(begins) ?? names.slice(0, from).find(begins)
}
