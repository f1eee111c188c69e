import { expect, test } from 'vitest'
import { asciiJson, isSignedByPaynow, signCall } from './signature.ts'

// The dummy vectors that PayNow's documentation and SDK come out with.
const call = { apiKey: 'api-1', idempotencyKey: 'idem-1' }
const body = '{"amount":45671,"externalId":"inv-1","description":"Top-up","buyer":{"email":"a@b.pl"}}'
const notification =
  '{"paymentId":"NOLV-8F9-08K-WGD","externalId":"inv-1","status":"CONFIRMED","modifiedAt":"2026-11-20T12:00:00"}'
const notificationSignature = 'BAuc9/aNyOGblL8S6xWnoE6e24lJVyfy4qBUwI4qmy4='

test('a call without query and body', () => {
  expect(signCall(call, 'sig-1')).toBe('H0pQaCRbN4ThRkp5Jb4SotWJ4T4zR4xLxYVB7YY/2AE=')
})
test('a call with a body', () => {
  expect(signCall({ ...call, body }, 'sig-1')).toBe('RTvM0pLge/B0pD9IumoEn8OtB17KmN8qHikevFCJco8=')
})
test('a call with a query, in whichever order it was written', () => {
  const parameters = { currency: 'PLN', applePayEnabled: '1', amount: '45671' }
  expect(signCall({ ...call, parameters }, 'sig-1')).toBe('k4CSSDFRcRveNokz9stSnyOyeA3r+cOsZACyolmDiGk=')
})
test('a notification', () => {
  expect(isSignedByPaynow(Buffer.from(notification), notificationSignature, 'sig-1')).toBe(true)
})
test.each([
  ['another key', notification, notificationSignature, 'sig-2'],
  ['another status', notification.replace('CONFIRMED', 'REJECTED'), notificationSignature, 'sig-1'],
  ['one byte more', `${notification} `, notificationSignature, 'sig-1'],
  ['no signature', notification, undefined, 'sig-1'],
  ['an empty one', notification, '', 'sig-1'],
  ['half of it', notification, notificationSignature.slice(0, 20), 'sig-1'],
  ['the signature of a call', notification, signCall({ ...call, body: notification }, 'sig-1'), 'sig-1'],
])('no notification: %s', (_what, raw, signature, key) => {
  expect(isSignedByPaynow(Buffer.from(raw), signature, key)).toBe(false)
})
test('text goes in ASCII and says the same', () => {
  const value = { description: 'Doładowanie „portfela” 🪙' }
  expect(asciiJson(value)).toMatch(/^[ -~]*$/)
  expect(JSON.parse(asciiJson(value))).toEqual(value)
})
