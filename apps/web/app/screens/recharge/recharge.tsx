export default function Recharge() {
  return null
}
