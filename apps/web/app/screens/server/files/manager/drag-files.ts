/** Dragging entries within the page, and files of the desktop into it. */
import type { DragEvent } from 'react'
import { canMoveInto } from '../paths.ts'
import { hasFiles } from '../uploads/read-dropped.ts'

const ownType = 'application/x-wakestone-files'

/** What is dragged: browsers keep it from pages until it is dropped. */
let dragged: readonly string[] = []

export function beginDrag(event: DragEvent, paths: readonly string[]): void {
  dragged = paths
  event.dataTransfer.setData(ownType, JSON.stringify(paths))
  event.dataTransfer.effectAllowed = 'copyMove'
}

export function endDrag(): void {
  dragged = []
}

export type DropHandlers = {
  onFiles: (transfer: DataTransfer, folder: string) => void
  onEntries: (paths: readonly string[], folder: string, isCopy: boolean) => void
}

/** What a folder needs to take what is dropped on it. `why`: it takes nothing now. */
export function dropTarget(folder: string, { onFiles, onEntries }: DropHandlers, why: string | undefined) {
  const accepts = ({ dataTransfer }: DragEvent) =>
    why === undefined &&
    (hasFiles(dataTransfer) || (dataTransfer.types.includes(ownType) && canMoveInto(dragged, folder)))
  const mark = (event: DragEvent, isOver: boolean) => {
    if (isOver) event.currentTarget.setAttribute('data-over', '')
    else event.currentTarget.removeAttribute('data-over')
  }
  const over = (event: DragEvent) => {
    if (!accepts(event)) return
    event.preventDefault()
    event.stopPropagation()
    event.dataTransfer.dropEffect = hasFiles(event.dataTransfer) || event.ctrlKey || event.altKey ? 'copy' : 'move'
    mark(event, true)
  }
  return {
    onDragEnter: over,
    onDragOver: over,
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) mark(event, false)
    },
    onDrop: (event: DragEvent) => {
      mark(event, false)
      if (!accepts(event)) return
      event.preventDefault()
      event.stopPropagation()
      if (hasFiles(event.dataTransfer)) onFiles(event.dataTransfer, folder)
      else onEntries(dragged, folder, event.ctrlKey || event.altKey)
      endDrag()
    },
  }
}
