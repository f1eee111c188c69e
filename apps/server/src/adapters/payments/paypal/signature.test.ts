import { constants, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MoneyError } from '@wakestone/kit/money'
import { makeSigningKey, signWebhook } from '@wakestone/simulators/paypal'
import { readAmount, writeAmount } from './amounts.ts'
import { createCertificates } from './certificates.ts'
import { isCertificateAddress, isSignedWith, isTimely, readTransmission, type Transmission } from './signature.ts'

const key = makeSigningKey('messageverificationcerts.paypal.com')
const webhookId = 'WEBHOOK1'
const certificateUrl = 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594'
const at = new Date()
const body = '{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{"note":"zażółć 🎮"}}'
const read = (headers: Record<string, string>) => readTransmission(headers) as Transmission
const transmission = read(signWebhook(body, { key, webhookId, certificateUrl }))
const check = (change: Partial<Parameters<typeof isSignedWith>[1]> = {}, pem = key.certificate) =>
  isSignedWith(pem, { raw: Buffer.from(body), transmission, webhookId, at, ...change })

describe('a webhook’s signature', () => {
  test('the checksum is the CRC-32 of the bytes, as a decimal number', () => {
    expect(crc32('123456789')).toBe(0xcbf43926) // the check value of CRC-32/ISO-HDLC
  })

  test('is good for these bytes, this webhook, this time and this certificate only', () => {
    expect(check()).toBe(true)
    expect(check({ raw: Buffer.from(`${body} `) })).toBe(false)
    expect(check({ webhookId: 'WEBHOOK2' })).toBe(false)
    expect(check({ transmission: { ...transmission, id: 'another' } })).toBe(false)
    expect(check({ transmission: { ...transmission, time: '2026-11-20T12:00:00Z' } })).toBe(false)
    expect(check({}, makeSigningKey('messageverificationcerts.paypal.com').certificate)).toBe(false)
  })

  test('is no good by a certificate that is over or not yet begun, or by another algorithm', () => {
    const old = makeSigningKey('messageverificationcerts.paypal.com', { days: -1 })
    const byOld = read(signWebhook(body, { key: old, webhookId, certificateUrl }))
    expect(check({ transmission: byOld }, old.certificate)).toBe(false)
    expect(check({ transmission: byOld, at: new Date(at.getTime() - 1.5 * 86_400_000) }, old.certificate)).toBe(true)
    expect(check({ at: new Date(at.getTime() - 3 * 86_400_000) })).toBe(false)
    expect(check({ transmission: { ...transmission, algorithm: 'SHA1withRSA' } })).toBe(false)
    expect(check({}, 'no certificate')).toBe(false)
  })

  test('one byte changed anywhere is no signature', () => {
    fc.assert(
      fc.property(fc.nat({ max: Buffer.byteLength(body) - 1 }), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const raw = Buffer.from(body)
        raw[place] = (raw[place] as number) ^ change
        return !check({ raw })
      }),
    )
  })

  test('whatever stands in the headers is read or refused, and never throws', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(...Object.keys(signWebhook(body, { key, webhookId, certificateUrl }))),
          fc.oneof(fc.string(), fc.constant(undefined), fc.array(fc.string())),
        ),
        (headers) => {
          const found = readTransmission(headers)
          return found === undefined || !check({ transmission: found })
        },
      ),
    )
    expect(readTransmission({})).toBeUndefined()
  })

  test('a signature of padding that PayPal does not use is none', () => {
    const text = `${transmission.id}|${transmission.time}|${webhookId}|${crc32(body)}`
    const pss = sign('sha256', Buffer.from(text), { key: key.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING })
    expect(check({ transmission: { ...transmission, signature: pss.toString('base64') } })).toBe(false)
    expect(check({ transmission: { ...transmission, signature: randomBytes(256).toString('base64') } })).toBe(false)
  })
})

test.each<[seconds: number, isTimely: boolean]>([
  [0, true],
  [3 * 86_400, true],
  [73 * 3600 + 1, false],
  [-299, true],
  [-301, false],
])('a message sent %i s ago is timely: %s', (seconds, expected) => {
  const time = new Date(at.getTime() - seconds * 1000).toISOString()
  expect(isTimely({ ...transmission, time }, at)).toBe(expected)
})
test('a time that is none is not timely', () => {
  expect(isTimely({ ...transmission, time: 'T' }, at)).toBe(false)
})

describe('a certificate’s address', () => {
  test.each([certificateUrl, 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1'])('is good: %s', (url) => {
    expect(isCertificateAddress(url)).toBe(true)
  })
  test.each([
    'http://api.paypal.com/v1/notifications/certs/CERT-1',
    'https://paypal.com.example/v1/notifications/certs/CERT-1',
    'https://evilpaypal.com/v1/notifications/certs/CERT-1',
    'https://api.paypal.com@example.org/v1/notifications/certs/CERT-1',
    'https://user@api.paypal.com/v1/notifications/certs/CERT-1',
    'https://api.paypal.com:8443/v1/notifications/certs/CERT-1',
    'https://api.paypal.com/v1/notifications/certs/CERT-1?to=https://example.org',
    'https://api.paypal.com/v1/notifications/certs/../../../uploads/mine',
    'https://www.paypal.com/uploads/CERT-1',
    'http://127.0.0.1:9999/v1/notifications/certs/CERT-1',
    'file:///v1/notifications/certs/CERT-1',
    'CERT-1',
    '',
  ])('is none: %s', (url) => {
    expect(isCertificateAddress(url)).toBe(false)
    expect(isCertificateAddress(url, 'http://127.0.0.1:1234')).toBe(false)
  })
  test('of the stand-in is good where there is one', () => {
    const url = 'http://127.0.0.1:1234/v1/notifications/certs/CERT-1'
    expect(isCertificateAddress(url)).toBe(false)
    expect(isCertificateAddress(url, 'http://127.0.0.1:1234')).toBe(true)
  })
})

describe('certificates', () => {
  test('are fetched once, and again after a failure; others are never asked for', async () => {
    const asked: string[] = []
    let fails = true
    const certificateAt = createCertificates({
      fetchCertificate: async (url) => {
        asked.push(url)
        if (fails) throw new Error('no network')
        return 'PEM'
      },
    })
    await expect(certificateAt(certificateUrl)).rejects.toThrow('no network')
    fails = false
    expect(await Promise.all([certificateAt(certificateUrl), certificateAt(certificateUrl)])).toEqual(['PEM', 'PEM'])
    expect(await certificateAt('https://example.org/v1/notifications/certs/CERT-1')).toBeUndefined()
    expect(asked).toEqual([certificateUrl, certificateUrl])
  })

  test('that are none push out no other', async () => {
    const asked: string[] = []
    const certificateAt = createCertificates({
      fetchCertificate: async (url) => {
        asked.push(url)
        return url === certificateUrl ? 'PEM' : undefined
      },
    })
    expect(await certificateAt(certificateUrl)).toBe('PEM')
    for (let count = 0; count < 20; count++) expect(await certificateAt(`${certificateUrl}-${count}`)).toBeUndefined()
    expect(await certificateAt(certificateUrl)).toBe('PEM')
    expect(asked.filter((url) => url === certificateUrl)).toHaveLength(1)
  })

  test.each([
    [404, 'refused'],
    [400, 'refused'],
    [429, 'asked again'],
    [408, 'asked again'],
    [503, 'asked again'],
  ])('an answer of %i: %s', async (status, outcome) => {
    const server = createServer((_request, response) => response.writeHead(status).end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const simulator = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const answer = createCertificates({ simulator })(`${simulator}/v1/notifications/certs/CERT-1`)
    if (outcome === 'refused') expect(await answer).toBeUndefined()
    else await expect(answer).rejects.toThrow(String(status))
    server.close()
  })
})

describe('amounts', () => {
  test('are the same there and back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9_007_199_254_740 }),
        fc.constantFrom('EUR', 'PLN', 'USD', 'JPY'),
        (amount, currency) => {
          expect(readAmount(writeAmount({ amount, currency }))).toEqual({ amount, currency })
        },
      ),
    )
  })
  test.each([
    ['10.00', 'EUR', 1000],
    ['10', 'EUR', 1000],
    ['0.5', 'EUR', 50],
    ['-12.34', 'PLN', -1234],
    ['19.99', 'USD', 1999],
    ['70368744177.69', 'EUR', 7_036_874_417_769],
    ['500', 'JPY', 500],
  ])('%s %s is %i', (value, currency_code, amount) => {
    expect(readAmount({ value, currency_code })).toEqual({ amount, currency: currency_code })
  })
  test.each(['10.001', '1e3', '1,00', '', '.5', '0x10', ' 1', '1.', 'NaN', '99999999999999.99'])(
    '%s is none',
    (value) => {
      expect(() => readAmount({ value, currency_code: 'EUR' })).toThrow(MoneyError)
    },
  )
})
