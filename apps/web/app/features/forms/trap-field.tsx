/** A field that people neither see nor reach, but robots fill in; the API throws away what comes with it. */
export function TrapField() {
  return (
    <div className="visually-hidden" aria-hidden="true">
      <input type="text" name="website" tabIndex={-1} autoComplete="off" />
    </div>
  )
}
