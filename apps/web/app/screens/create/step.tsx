import { type ReactNode, useEffect, useRef } from 'react'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import type { Catalogue, Choice, Draft } from './draft.ts'
import type { PartError } from './create-form.tsx'
import type { FormPart } from './place-error.ts'
import classes from './create.module.css'

export type StepProps = {
  choice: Choice
  catalogue: Catalogue
  draft: Draft
  update: (changes: Partial<Draft>) => void
  refusal: PartError
}

/** One step of the form; what the API refused because of it is said in it, and brought into sight. */
export function Step({
  title,
  parts,
  refusal,
  children,
}: {
  title: string
  parts: readonly FormPart[]
  refusal: PartError
  children: ReactNode
}) {
  const boxRef = useRef<HTMLDivElement>(null)
  const error = refusal !== null && parts.includes(refusal.part) ? refusal.error : null
  useEffect(() => {
    if (error !== null) boxRef.current?.scrollIntoView({ block: 'center' })
  }, [error])
  return (
    <Card title={title}>
      <div ref={boxRef} className={classes.step}>
        {children}
        {error !== null && <ErrorNote error={error} />}
      </div>
    </Card>
  )
}

/** A choice that fills a card: a radio button underneath. */
export function Option({
  name,
  checked,
  disabled = false,
  onChoose,
  children,
}: {
  name: string
  checked: boolean
  disabled?: boolean
  onChoose: () => void
  children: ReactNode
}) {
  return (
    <label className={classes.option} data-disabled={disabled || undefined}>
      <input
        type="radio"
        name={name}
        className="visually-hidden"
        checked={checked}
        disabled={disabled}
        onChange={onChoose}
      />
      {children}
    </label>
  )
}
