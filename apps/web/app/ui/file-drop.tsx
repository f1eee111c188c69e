import { IconPhotoPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import classes from './file-drop.module.css'

/** A place for files: they are dropped on it, or chosen. `children` stand in it instead of the icon. */
export function FileDrop({
  label,
  hint,
  accept,
  multiple = false,
  busy = false,
  onFiles,
  children,
}: {
  label: string
  hint?: string | undefined
  /** Types or ends of names, comma-separated; others that are dropped are left out. */
  accept: string
  multiple?: boolean
  busy?: boolean
  onFiles: (files: File[]) => void
  children?: ReactNode
}) {
  const [isOver, setOver] = useState(false)
  const take = (files: Iterable<File>) => {
    const fitting = [...files].filter((file) => fits(file, accept))
    if (fitting.length > 0 && !busy) onFiles(multiple ? fitting : fitting.slice(0, 1))
  }
  return (
    <label
      className={classes['drop']}
      data-over={isOver}
      data-busy={busy}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files)
      }}
    >
      <input
        type="file"
        className="visually-hidden"
        accept={accept}
        multiple={multiple}
        disabled={busy}
        onChange={({ currentTarget }) => {
          take(currentTarget.files ?? [])
          currentTarget.value = ''
        }}
      />
      {children ?? <IconPhotoPlus size={26} aria-hidden="true" />}
      <span className={classes['label']}>{label}</span>
      {hint !== undefined && <span className={classes['hint']}>{hint}</span>}
    </label>
  )
}

function fits({ name, type }: File, accept: string): boolean {
  return accept.split(',').some((one) => (one.startsWith('.') ? name.toLowerCase().endsWith(one) : one === type))
}
