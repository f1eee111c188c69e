/**
 * Loads what the service loads later, and ends. With the folder of compiled code writable this fills it for all; they then
 * start without the compiler in their memory.
 */
import './archive-entries.ts'
import './follow.ts'
import './pack.ts'
import './players-reader.ts'
import './search.ts'
import './run.ts'
import './tree.ts'
import './tree-reader.ts'
import './unpack.ts'
import './worlds/plans.ts'
import './worlds/process.ts'
import { flushCompileCache } from 'node:module'

flushCompileCache()
