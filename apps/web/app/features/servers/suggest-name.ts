/** Names for those who have none yet: an adjective and a mob. */
const adjectives =
  'amber ancient autumn bold brave bright bronze bustling calm candid cheerful chilly clever cloudy copper cosy crimson curious daring dawn deep dewy dusky eager early easy ember emerald fabled fair faithful fern fiery fleet foggy fond frosty gentle glad gleaming glowing golden grand green happy hardy hazel hearty hidden hollow honest humble icy ivory jolly keen kind lively loyal lucky lunar mellow merry mighty misty mossy nimble noble northern olive patient peaceful pearl placid plucky proud quick quiet rosy rustic sandy serene shady silent silver sleepy snowy solar spry starlit steady stony sunny swift tidy trusty velvet vivid wandering warm wild windy wise'.split(
    ' ',
  )
const mobs =
  'allay armadillo axolotl bat bee blaze camel cat cow creeper dolphin donkey drowned enderman fox frog ghast goat golem llama mooshroom ocelot panda parrot rabbit sheep sniffer strider turtle wolf'.split(
    ' ',
  )

const pick = (words: readonly string[]) => words[Math.floor(Math.random() * words.length)] ?? 'misty'

/** Such as `misty-allay`. */
export function suggestName(): string {
  return `${pick(adjectives)}-${pick(mobs)}`
}
