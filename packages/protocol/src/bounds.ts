/**
 * Bounds for what comes out of a sandbox: it is a customer's word. Too much is cut to what fits, so that an odd value
 * (a mod that counts −1 players) costs a server nothing; what is of another kind altogether is refused.
 */
import { z } from 'zod'

/** A whole number from 0 up to `most`. */
export const count = (most: number) => z.number().transform((value) => Math.min(most, Math.max(0, Math.trunc(value))))

/** A measured value from 0 up; larger ones say nothing. */
export const measure = z.number().transform((value) => Math.min(1e15, Math.max(0, value)))

/** Text of one line, at most `length` characters of it; a database takes neither a zero nor half a pair. */
export const text = (length: number) =>
  z.string().transform((value) =>
    value
      .slice(0, length)
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u001f\u007f]/g, '')
      .toWellFormed(),
  )

/** A list of which the first entries count. */
export const first = <Entry extends z.ZodType>(most: number, entry: Entry) =>
  z
    .array(z.unknown())
    .transform((list) => list.slice(0, most))
    .pipe(z.array(entry))
/** A list that is refused when it is longer, before anything in it is read. */
export const few = <Entry extends z.ZodType>(most: number, entry: Entry) =>
  z.array(z.unknown()).max(most).pipe(z.array(entry))
/** A list of which the last entries count. */
export const last = <Entry extends z.ZodType>(most: number, entry: Entry) =>
  z
    .array(z.unknown())
    .transform((list) => list.slice(-most))
    .pipe(z.array(entry))

const earliest = Date.UTC(2020, 0)

/** A moment; never in our future, never before there were games to host. */
export const moment = z.iso
  .datetime()
  .transform((time) => new Date(Math.min(Date.now(), Math.max(earliest, Date.parse(time)))).toISOString())
