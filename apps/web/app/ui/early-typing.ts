/**
 * Keeps what a visitor types before the page has come to life: React would reset controlled fields to their first state.
 */
type Field = HTMLInputElement | HTMLTextAreaElement

const early = new Map<Field, string | boolean>()

const isSwitch = (field: Field) => field.type === 'checkbox' || field.type === 'radio'
const valueOf = (field: Field) => (isSwitch(field) ? (field as HTMLInputElement).checked : field.value)

function note(event: Event): void {
  const field = event.target
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) early.set(field, valueOf(field))
}

/** Begins to listen, and takes what was typed before this script ran. To be called before the page is hydrated. */
export function watchEarlyTyping(): void {
  for (const field of document.querySelectorAll<Field>('input, textarea')) {
    const initial = isSwitch(field) ? (field as HTMLInputElement).defaultChecked : field.defaultValue
    if (valueOf(field) !== initial) early.set(field, valueOf(field))
  }
  document.addEventListener('input', note, true)
}

/** Types it again, for React to see. To be called once the page is hydrated. */
export function restoreEarlyTyping(): void {
  document.removeEventListener('input', note, true)
  for (const [field, value] of early) {
    if (!field.isConnected) continue
    if (field.type === 'file') choose(field as HTMLInputElement)
    else if (typeof value === 'boolean') turn(field as HTMLInputElement, value)
    else retype(field, value)
  }
  early.clear()
}

/**
 * React ignores what it takes for known. What is set on the element itself is known to it, and what the prototype's
 * setter does is not: the field is emptied for React first, also where hydration has left the text in it.
 */
function retype(field: Field, value: string): void {
  const { selectionStart, selectionEnd } = field
  // Has to differ from the value set next, which may be empty.
  field.value = value === '' ? '0' : ''
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  // Somebody may be in the middle of it. Fields for addresses and numbers tell no place, and take none.
  if (document.activeElement === field && selectionStart !== null)
    field.setSelectionRange(selectionStart, selectionEnd ?? selectionStart)
}

/** Scripts can't set files, and needn't: the selection stays, React only has to hear of it. */
function choose(field: HTMLInputElement): void {
  if (field.files?.length) field.dispatchEvent(new Event('change', { bubbles: true }))
}

function turn(field: HTMLInputElement, isOn: boolean): void {
  // The other one of its group that was chosen says it.
  if (field.type === 'radio' && !isOn) return
  field.checked = !isOn
  field.click()
}
