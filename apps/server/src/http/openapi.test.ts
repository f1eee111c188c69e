/** The API reference: what it says of each route, to people who have read nothing else. */
import { describe, expect, it } from 'vitest'
import { describeApi } from './openapi.ts'

type Operation = { summary: string; description: string }
const { info, paths } = describeApi({ origin: 'https://panel.test', sessionCookie: 'session' })
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...(operation as Operation) })),
)
const describeOf = (wanted: string) => operations.find(({ name }) => name === wanted)?.description

describe('a summary', () => {
  const findOdd = (isOdd: (summary: string) => boolean) =>
    operations.filter(({ summary }) => isOdd(summary)).map(({ name, summary }) => `${name}: ${summary}`)

  it('begins with what the call does, not with what it is about', () => {
    expect(operations.length).toBeGreaterThan(400)
    expect(
      findOdd(
        (summary) =>
          !/^[A-Z]/.test(summary) ||
          /^(?:An?|The|All|One|What|Which|Who|Whose|Whether|Where|When|How|Have|Added)\b/.test(summary),
      ),
    ).toEqual([])
  })
  it('has a full stop only where it has several sentences', () =>
    expect(findOdd((summary) => summary.includes('. ') !== summary.endsWith('.'))).toEqual([]))
  it('fits into a line or two', () => expect(findOdd((summary) => summary.length > 160)).toEqual([]))
})

describe('a ticket', () => {
  it('to support is its owner’s', () =>
    expect(describeOf('get /api/v1/support/tickets/{id}')).toMatch(/^Only for the owner, or `admin`\./))
  it('for a file opens it to whoever has it', () =>
    expect(describeOf('get /transfers/{ticket}')).toContain('Open to anyone who has the ticket'))
})

it('says what a transport takes or returns', () => {
  expect(describeOf('get /transfers/{ticket}')).toMatch(/^Returns a file\./)
  expect(describeOf('patch /transfers/{ticket}')).toMatch(/^Takes `application\/offset\+octet-stream`\./)
  expect(describeOf('delete /transfers/{ticket}')).toMatch(/^Open to anyone/)
})

it('begins with what holds for every call', () => {
  for (const word of ['Authorization: Bearer', 'Idempotency-Key', 'Retry-After', 'event_id', '`after`'])
    expect(info.description).toContain(word)
})
