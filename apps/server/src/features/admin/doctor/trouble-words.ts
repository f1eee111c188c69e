/** What the health page counts, in words for whoever runs the machine. */
import type { Health, Trouble } from '@wakestone/contract/admin/health'
import { lateAfter } from '../health/service.ts'
import { type Finding, finding, type Level } from './findings.ts'

type Words = {
  level: Exclude<Level, 'ok'>
  what: (count: number, health: Health) => string
  why: string
  todo: string
}

const plural = (count: number, one: string, several = `${one}s`) => `${count} ${count === 1 ? one : several}`
const age = (seconds: number) =>
  seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`

const words: Record<Trouble, Words> = {
  jobs_late: {
    level: 'fault',
    what: (count, { queues }) => {
      const late = queues.filter(({ oldest_seconds, waiting }) => waiting > 0 && (oldest_seconds ?? 0) > lateAfter.jobs)
      const named = late.map(
        ({ name, waiting, oldest_seconds }) => `${name}: ${waiting}, since ${age(oldest_seconds ?? 0)}`,
      )
      return `${plural(count, 'job')} should have been begun (${named.join('; ')})`
    },
    why: 'What these jobs do (mails, renewals, refunds, backups) does not happen.',
    todo: 'See that a worker runs and what its log says (DATA_DIR/logs/worker.log); start one more where all are busy.',
  },
  jobs_failed: {
    level: 'warning',
    what: (count, { queues }) =>
      `${plural(count, 'job')} given up within a day (${queues
        .filter(({ failed }) => failed > 0)
        .map(({ name, failed }) => `${name}: ${failed}`)
        .join('; ')})`,
    why: 'They were tried as often as they may be, and are not tried again by themselves.',
    todo: 'Look for "job failed" with the name of the queue in the worker’s log, and mend what it says.',
  },
  looks_late: {
    level: 'warning',
    what: (count, { lag }) =>
      `${plural(count, 'server')} not looked at in time, the latest by ${age(lag.looks.seconds)}`,
    why: 'They start, stop and wake late.',
    todo: 'See whether the worker or the machine is overloaded; start one more worker.',
  },
  servers_unreached: {
    level: 'fault',
    what: (count, { lag }) =>
      `${plural(count, 'server')} whose supervisor does not answer, since ${age(lag.unreached.seconds)}`,
    why: 'Their consoles are dead, and they can neither be stopped in order nor backed up.',
    todo: 'Look at /admin/servers, and at memory and load of the machine.',
  },
  deliveries_late: {
    level: 'warning',
    what: (count) => `${plural(count, 'mail, push or operation', 'mails, pushes and operations')} late`,
    why: 'Customers wait for codes, notices or what they asked for.',
    todo: 'See what the mail server answers (below), and whether a worker runs.',
  },
  shop_late: {
    level: 'fault',
    what: (count, { lag }) =>
      `${plural(count, 'command')} of item shops waited too long, since ${age(lag.shop.seconds)}`,
    why: 'Players do not get what they bought, although their server is up.',
    todo: 'See that a worker runs, and look for "shop" in its log (DATA_DIR/logs/worker.log).',
  },
  records_failed: {
    level: 'warning',
    what: (count) => `${plural(count, 'name')} whose records the name server refuses`,
    why: 'Players do not find these servers by their names.',
    todo: 'See what PowerDNS answers, in the worker’s log; check PDNS_URL and PDNS_API_KEY.',
  },
  messages_refused: {
    level: 'warning',
    what: (count) => `${plural(count, 'message')} in the name of a payment provider refused within a day`,
    why: 'Either somebody tries to forge payments, or the key set here is not the provider’s: then payments arrive late.',
    todo: 'Compare keys and webhook ids with the provider’s panel.',
  },
  orders_late: {
    level: 'warning',
    what: (count) => `${plural(count, 'payment')} under way for more than a day`,
    why: 'Customers may have paid without being credited.',
    todo: 'See /admin/reconciliation, and whether the provider answers.',
  },
  disk_full: {
    level: 'fault',
    what: (_count, { disk }) =>
      `little room left: ${disk.map(({ place, free, total }) => `${place} ${Math.round(free / 2 ** 20)} of ${Math.round(total / 2 ** 20)} MiB`).join(', ')}`,
    why: 'When less than DISK_FLOOR is free, all games are stopped; without any room the database stops.',
    todo: 'Make room: DATA_DIR/cache and DATA_DIR/logs may be emptied while stopped; else enlarge the disk or move servers.',
  },
  certificate_ends: {
    level: 'warning',
    what: (_count, { certificates }) =>
      certificates
        .map(({ name, ends }) => (ends === null ? `${name} cannot be read` : `${name} ends on ${ends.slice(0, 10)}`))
        .join(', '),
    why: 'Bedrock players are then asked whether they trust the server, or refused.',
    todo: 'Renew the certificate and restart the gateway.',
  },
  backups_late: {
    level: 'warning',
    what: (count, { backups }) => {
      const names = backups.late.slice(0, 3).map(({ server }) => server.name)
      return `${plural(count, 'server')} whose backup is more than an hour late (${names.join(', ')}${count > 3 ? ', …' : ''})`
    },
    why: 'If the disk is lost now, their worlds go back to an older state than was promised, or are lost.',
    todo: 'See /admin/health for why the last ones failed; check the storage (below) and BACKUPS_AT_ONCE.',
  },
}

export const findingsOfHealth = (health: Health): Finding[] =>
  health.troubles.map(({ trouble, count }) => {
    const { level, what, why, todo } = words[trouble]
    return finding(level, trouble, what(count, health), why, todo)
  })
