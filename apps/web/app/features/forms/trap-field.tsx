type Props = { name?: string; value?: string; onChange?: (event: { currentTarget: { value: string } }) => void }

/** A field that people neither see nor reach, but robots fill in; the API throws away what comes with it. */
export function TrapField({ name = 'website', value, onChange }: Props) {
  return (
    <div className="visually-hidden" aria-hidden="true">
      <input type="text" name={name} value={value} onChange={onChange} tabIndex={-1} autoComplete="off" />
    </div>
  )
}
