// Whether the role of this container is well; ends with 1 when it is not.
import { readFileSync } from 'node:fs'

const role = process.argv[2] ?? readFileSync('/run/wakestone/role', 'utf8')
const http = Number(process.env.HTTP_PORT || 3000)
const metrics = Number(process.env.METRICS_PORT || http + 100)
const addresses = {
  api: `http://127.0.0.1:${http}/readyz`,
  all: `http://127.0.0.1:${http}/readyz`,
  worker: `http://127.0.0.1:${metrics + 1}/healthz`,
  gateway: `http://127.0.0.1:${metrics + 2}/healthz`,
}
const url = addresses[role]
if (url === undefined) process.exit(0) // runs once and ends
const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined)
process.exit(answer?.ok ? 0 : 1)
