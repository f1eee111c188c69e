/** Loads all of the supervisor's code once and ends, which fills the folder of compiled code that supervisors share. */
import 'tar'
import 'ws'
import './http.ts'
import './install/check-plan.ts'
import './install/install.ts'
import './stream.ts'
import './supervisor.ts'
import './tokens.ts'
import { flushCompileCache } from 'node:module'

flushCompileCache()
