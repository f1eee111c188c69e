/** How long what was rented is kept after its end. Milliseconds. */
import { filesKeptDays } from '@wakestone/contract/sales/service'

const day = 86_400_000
/** After the end. */
export const filesKept = filesKeptDays * day
/** Whatever is deleted is told so long before. */
export const warnedBefore = 3 * day
