import { useRef, useState } from 'react'
import type { z } from 'zod'
import { errorBodyOf } from './error-text.ts'
import { type FormAnswer, type Reasons, reasonsFrom, reasonsOf } from './form-reasons.ts'
import { type KnownReason, useReasonText } from './reason-text.ts'

/**
 * A form whose rules are a schema of the contract. A field is checked when it is left and, once it was wrong,
 * while it is typed; all are checked on submit. What was typed is kept whatever happens.
 *
 * Public pages give a function that loads the schema: checking weighs 25 kB, and is fetched when someone begins to type.
 * `answer` is what the server said to the same form sent without scripts.
 */
export function useZodForm<Schema extends z.ZodObject>(
  source: Schema | (() => Promise<Schema>),
  initial: z.input<Schema> & Record<string, unknown>,
  answer?: FormAnswer,
) {
  type Values = z.input<Schema> & Record<string, unknown>
  type Name = keyof z.input<Schema> & string
  const [values, setValues] = useState<Values>({ ...initial, ...answer?.values })
  const [reasons, setReasons] = useState<Reasons>(answer?.reasons ?? {})
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(answer?.failure)

  const loaded = useRef(typeof source === 'function' ? undefined : source)
  const latest = useRef(values)
  latest.current = values
  const load = async (): Promise<Schema> => (loaded.current ??= await (source as () => Promise<Schema>)())

  const withOne = (name: string, reason: string | undefined) => (before: Reasons) => {
    const { [name]: _, ...others } = before
    return reason === undefined ? others : { ...others, [name]: reason }
  }
  const set = (name: Name, value: Values[Name]) => {
    // From the values before, not from those rendered: a password manager fills several fields at once.
    setValues((before) => ({ ...before, [name]: value }))
    const schema = loaded.current
    if (name in reasons && schema !== undefined)
      setReasons(withOne(name, reasonsOf(schema, { ...values, [name]: value })[name]))
  }
  const check = (name: Name) =>
    void load().then(
      (schema) => setReasons(withOne(name, reasonsOf(schema, latest.current)[name])),
      () => {}, // whatever keeps it from loading is told on submit
    )
  const textOf = useReasonText()

  return {
    values,
    busy,
    /** An error of the last submit that belongs to no single field. */
    failure,
    set,
    check,
    /** Marks a field from outside, such as a name that is taken. */
    refuse: (name: Name, reason: KnownReason | undefined) => setReasons(withOne(name, reason)),
    isWrong: (name: Name) => name in reasons,
    errorOf: (name: Name) => textOf(reasons[name]),
    /** Props of a text field. */
    field: (name: Name) => ({
      name,
      value: values[name] as string,
      error: textOf(reasons[name]),
      onFocus: () => void load().catch(() => {}),
      onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value as Values[Name]),
      // An empty field that is merely passed is not wrong yet.
      onBlur: () => values[name] !== '' && check(name),
    }),
    /** Handler of the form's submit: checks all, focuses the first wrong field, else hands the parsed values on. */
    submit:
      (handler: (parsed: z.output<Schema>) => Promise<unknown>) => async (event: React.FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        const form = event.currentTarget
        setBusy(true)
        setFailure(undefined)
        try {
          const schema = await load()
          const result = schema.safeParse(values)
          if (!result.success) {
            const found = reasonsOf(schema, values)
            setReasons(found)
            focusFirst(form, found)
            return
          }
          await handler(result.data)
        } catch (error) {
          const found = reasonsFrom(errorBodyOf(error), Object.keys(initial))
          setReasons((before) => ({ ...before, ...found }))
          if (Object.keys(found).length === 0) setFailure(error)
          else focusFirst(form, found)
        } finally {
          setBusy(false)
        }
      },
  }
}

function focusFirst(form: HTMLFormElement, found: Reasons): void {
  const first = Array.from(form.elements).find(
    (element) => 'name' in element && typeof element.name === 'string' && element.name in found,
  )
  if (first instanceof HTMLElement) first.focus()
}
