/** Exchange rates of Narodowy Bank Polski as its API answers: table A on business days, none on weekends and holidays. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type NbpSimulator = {
  url: string
  /** Days without a table besides weekends. */
  holidays: Set<string>
  /** Mid rates; the day's last digit is added as grosze, so that days differ. */
  rates: Record<string, number>
  asked: string[]
  trouble: 'down' | 'garbage' | undefined
  close(): Promise<void>
}

const isoDay = (date: Date) => date.toISOString().slice(0, 10)
const names: Record<string, string> = { EUR: 'euro', USD: 'dolar amerykański' }

/** Rate of a currency on a day, as the simulator publishes it. */
export function simulatedRate(rates: Record<string, number>, currency: string, day: string): number {
  return Math.round(((rates[currency] ?? 0) + Number(day.at(-1)) / 100) * 10_000) / 10_000
}

export async function startNbpSimulator({ port = 0 } = {}): Promise<NbpSimulator> {
  const server = createServer((request, response) => {
    const text = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(body)
    simulator.asked.push(request.url ?? '')
    if (simulator.trouble === 'down') return text(503, 'Service Unavailable')
    if (simulator.trouble === 'garbage') return text(200, '<html>')
    const match =
      /^\/api\/exchangerates\/rates\/a\/([a-z]{3})\/(\d{4}-\d\d-\d\d)\/(\d{4}-\d\d-\d\d)\/\?format=json$/.exec(
        request.url ?? '',
      )
    const [, code = '', first = '', last = ''] = match ?? []
    const currency = code.toUpperCase()
    if (match === null || !(currency in simulator.rates)) return text(404, '404 NotFound')
    const [start, end] = [new Date(`${first}T00:00:00Z`), new Date(`${last}T00:00:00Z`)]
    if (end < start) return text(400, '400 BadRequest - Błędny zakres dat / Invalid date range')
    if (end.getTime() - start.getTime() > 93 * 86_400_000)
      return text(400, '400 BadRequest - Przekroczony limit 93 dni / Limit of 93 days has been exceeded')
    const rates = []
    for (const day = new Date(start); day <= end; day.setUTCDate(day.getUTCDate() + 1)) {
      const iso = isoDay(day)
      const isBusinessDay = day.getUTCDay() % 6 !== 0 && !simulator.holidays.has(iso)
      if (isBusinessDay)
        rates.push({ no: tableName(day), effectiveDate: iso, mid: simulatedRate(simulator.rates, currency, iso) })
    }
    if (rates.length === 0) return text(404, '404 NotFound - Not Found - Brak danych')
    response
      .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify({ table: 'A', currency: names[currency] ?? currency, code: currency, rates }))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const simulator: NbpSimulator = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    holidays: new Set(),
    rates: { EUR: 4.25, USD: 3.65 },
    asked: [],
    trouble: undefined,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return simulator
}

/** Tables are counted through the year. */
function tableName(day: Date): string {
  const yearDay = Math.floor((day.getTime() - Date.UTC(day.getUTCFullYear(), 0, 1)) / 86_400_000) + 1
  return `${String(Math.ceil((yearDay * 5) / 7)).padStart(3, '0')}/A/NBP/${day.getUTCFullYear()}`
}
