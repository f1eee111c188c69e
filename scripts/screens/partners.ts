/** Partners in every state, and the servers that one of them has paid for with what friends have brought. */
import { applyForAffiliate, changeAffiliate } from '@wakestone/contract/sales/affiliates-routes'
import { addServiceAddOn, upgradeService } from '@wakestone/contract/sales/billings-routes'
import { getOwnReferralCode, setReferrer } from '@wakestone/contract/sales/referrals-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { countVisit } from '../../apps/server/src/features/sales/affiliates/clicks.ts'
import { releaseCommissions } from '../../apps/server/src/features/sales/affiliates/commissions.ts'
import { handleReferrals } from '../../apps/server/src/features/sales/referrals/service.ts'
import { createCookieClient } from '../../tests/support/api.ts'
import { payIn } from '../../tests/support/direct-payments.ts'
import { order } from '../../tests/support/servers.ts'
import { day, password, type Person, signUp, type Stage, walletOf } from './people.ts'

export type PartnerScene = {
  /** Signs in as one who takes part and has brought friends. */
  partner: [login: string, password: string]
  /** Servers of hers: one that was upgraded, one that something was added to. */
  upgradedId: string
  extendedId: string
}

/** One who takes part and has brought `friend`, one who asks to, one who was suspended; and two accounts of one browser. */
export async function makePartners(stage: Stage, friend: Person): Promise<PartnerScene> {
  const { admin, context, product } = stage
  const decide = ({ user }: Person, state: 'approved' | 'suspended') =>
    admin(changeAffiliate, { params: { userId: user.id }, body: { state } })
  const apply = async (username: string, about: string, client = createCookieClient(product.origin)) => {
    const person = await signUp(stage, username, client)
    const body = { website: `https://example.com/${username}`, about }
    await person.call(applyForAffiliate, { params: { id: person.user.id }, body })
    return person
  }
  const codeOf = async ({ call, user }: Person) =>
    (await call(getOwnReferralCode, { params: { id: user.id } })).referral_code
  const come = ({ call, user }: Person, code: string) =>
    call(setReferrer, { params: { userId: user.id }, body: { code } })

  const ola = await apply('ola_buduje', 'I build on stream every evening, for about a hundred people.')
  await decide(ola, 'approved')
  const spammer = await apply('szybki_zysk', 'I recommend everything to everybody, all the time.')
  await decide(spammer, 'approved')
  await decide(spammer, 'suspended')
  const shared = createCookieClient(product.origin)
  const kuba = await apply('kuba_buduje', 'I run the server of our school, and a channel about redstone.', shared)

  const code = await codeOf(ola)
  for (let visitor = 1; visitor <= 37; visitor++) {
    const now = new Date(Date.now() - ((visitor * visitor) % 13) * day)
    await countVisit(context, { code, ip: `198.51.100.${visitor}`, userAgent: 'Mozilla/5.0', now })
  }
  await come(friend, code)
  const kasia = await signUp(stage, 'kasia_k')
  await come(kasia, code)
  await payIn(context, kasia, 60_000)

  const kubasCode = await codeOf(kuba)
  const again = await signUp(stage, 'kuba_znowu', shared)
  await come(again, kubasCode)
  await payIn(context, again, 2000)
  await handleReferrals(context, new Date())
  await releaseCommissions(context, new Date(Date.now() + 31 * day))
  // Not released yet.
  await payIn(context, kasia, 8000)
  await handleReferrals(context, new Date())
  return { partner: [ola.user.username, password], ...(await rentAndChange(stage, ola)) }
}

async function rentAndChange({ context }: Stage, owner: Person) {
  const wallet_id = walletOf(owner)
  await payIn(context, owner, 20_000)
  const rent = (name: string, subdomain: string) =>
    owner.call(createServer, {
      body: order(wallet_id, '1.21.4', { name, subdomain, payment_method: 'affiliate' }),
    })
  const upgraded = await rent('Wieża na wydmie', 'wieza-na-wydmie')
  await owner.call(upgradeService, {
    params: { id: upgraded.service_id },
    body: { product_id: 'AMETHYST', wallet_id, when: 'now', immediate: true },
  })
  const extended = await rent('Polana przy młynie', 'polana')
  await owner.call(addServiceAddOn, {
    params: { id: extended.service_id },
    body: { product_id: 'EXTRA_MEMORY_2G', wallet_id, immediate: false },
  })
  return { upgradedId: upgraded.id, extendedId: extended.id }
}
