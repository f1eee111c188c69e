/**
 * Loads what the supervisor loads later, and ends. With the folder of compiled code writable this fills it for all
 * supervisors; they then start without the compiler in their memory.
 */
import 'tar'
import 'ws'
import './install/check-plan.ts'
import './install/install.ts'
import './install/unzip.ts'
import { flushCompileCache } from 'node:module'

flushCompileCache()
