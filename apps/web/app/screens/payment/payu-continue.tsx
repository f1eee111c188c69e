export default function PayuContinue() {
  return null
}
