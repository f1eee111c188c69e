/**
 * `npm run doctor [-- --json]`: how this installation is. Ends with 0 when it is well, 1 when something will become
 * trouble, 2 when something is.
 */
import { parseArgs } from 'node:util'
import { describeDiagnosis, diagnose, statusOf } from '#src/features/admin/doctor/service.ts'

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
const diagnosis = await diagnose(process.env)
console.log(values.json ? JSON.stringify(diagnosis, null, 2) : describeDiagnosis(diagnosis))
// What was looked at may leave connections behind that nobody answers.
process.exit(statusOf(diagnosis))
