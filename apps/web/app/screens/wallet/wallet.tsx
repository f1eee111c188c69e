export default function WalletScreen() {
  return null
}
