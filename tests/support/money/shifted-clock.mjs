// Loaded before a process of the product: its clock goes ahead of the machine's by as much as the test says, first by
// CLOCK_OFFSET, then by messages. Only what `Date` says is shifted: timers and PostgreSQL go by the machine's clock.
const RealDate = Date
let offset = Number(process.env.CLOCK_OFFSET ?? 0)
const now = () => RealDate.now() + offset

globalThis.Date = new Proxy(RealDate, {
  construct(target, given, made) {
    return Reflect.construct(target, given.length === 0 ? [now()] : given, made === globalThis.Date ? target : made)
  },
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})

process.on('message', (message) => {
  if (typeof message?.clock !== 'number') return
  offset = message.clock
  process.send?.({ clock: offset })
})
// The test is gone, killed perhaps: nothing of it stays behind.
process.on('disconnect', () => process.exit(0))
