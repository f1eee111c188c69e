import type { Wallet } from '@wakestone/contract/money/wallet'
import { OwedNote } from '#app/features/wallets/owed-note.tsx'
import { TopUpLink } from './top-up-link.tsx'

/** Wallets from which something is owed. While there is one, nothing that costs something is sold, whatever pays for it. */
export const indebted = (wallets: readonly Wallet[]) => wallets.filter(({ owed }) => owed.amount > 0)

/** What is owed from each of `wallets`, and the way to the top-up that settles it. `text` says what that means here. */
export function DebtNotes({
  wallets,
  text,
  lacking,
  from,
}: {
  wallets: readonly Wallet[]
  text: string
  /** The wallet that is to pay for something, and what it lacks for that, in minor units: one top-up is for both. */
  lacking?: { wallet: Wallet | undefined; missing: number }
  /** Where a top-up comes back to. */
  from: string
}) {
  return indebted(wallets).map((wallet) => (
    <OwedNote key={wallet.id} owed={wallet.owed} text={text}>
      <TopUpLink wallet={wallet} missing={lacking?.wallet?.id === wallet.id ? lacking.missing : 0} from={from} />
    </OwedNote>
  ))
}
