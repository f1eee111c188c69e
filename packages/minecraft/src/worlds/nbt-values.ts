/** Values out of a tree of NBT that anybody may have written: what is not of the type that is asked for is missing. */
import { findNbt, type NbtTag } from '../nbt.ts'

type Path = (string | number)[]

/** Of any kind of number; of a long, as far as a number can hold it. */
export function numberAt(tag: NbtTag | undefined, ...path: Path): number | undefined {
  const found = findNbt(tag, ...path)
  if (found === undefined) return undefined
  const value = typeof found.value === 'bigint' ? Number(found.value) : found.value
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A whole number of any size, as text: seeds do not fit into a number. */
export function wholeAt(tag: NbtTag | undefined, ...path: Path): string | undefined {
  const found = findNbt(tag, ...path)
  if (found?.type === 'long') return String(found.value)
  const value = numberAt(tag, ...path)
  return value !== undefined && Number.isInteger(value) ? String(value) : undefined
}

/** @param most characters; what is longer is cut */
export function textAt(tag: NbtTag | undefined, most: number, ...path: Path): string | undefined {
  const found = findNbt(tag, ...path)
  return found?.type === 'string' ? found.value.slice(0, most).toWellFormed() : undefined
}

export function flagAt(tag: NbtTag | undefined, ...path: Path): boolean | undefined {
  const value = numberAt(tag, ...path)
  return value === undefined ? undefined : value !== 0
}

/** That many numbers, out of a list or an array of whole ones. */
export function numbersAt(tag: NbtTag | undefined, count: number, ...path: Path): number[] | undefined {
  const found = findNbt(tag, ...path)
  const values =
    found?.type === 'intArray'
      ? [...found.value]
      : found?.type === 'list'
        ? found.value.slice(0, count + 1).map((_, index) => numberAt(found, index))
        : []
  if (values.length !== count || values.includes(undefined)) return undefined
  return values as number[]
}

/** Milliseconds since 1970, of times that can be. */
export function timeAt(tag: NbtTag | undefined, ...path: Path): number | undefined {
  const value = numberAt(tag, ...path)
  return value !== undefined && value > 0 && value < 8.64e15 ? Math.trunc(value) : undefined
}
