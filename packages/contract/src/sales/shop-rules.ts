/**
 * What the maker of the game may not allow to be sold, as far as an item's words and commands tell. A finding is a
 * question to the shop's owner and no judgement: they confirm it, or change the item.
 */
export const shopFindings = [
  'operator',
  'server_control',
  'advantage',
  'currency',
  'cape',
  'chance',
  'looks_official',
] as const
export type ShopFinding = (typeof shopFindings)[number]

/** Of the first word of a command, without a plugin's name before it. */
const commandRules: readonly [ShopFinding, RegExp][] = [
  [
    'operator',
    /^(op|lp|luckperms|pex|permissions?|manuadd|perm)\b(?!.*\bgroup\b.*\b(vip|supporter|donator|sponsor)\b)/,
  ],
  ['server_control', /^(stop|restart|reload|ban|ban-ip|pardon|whitelist|save-off|kick|execute)\b/],
  ['advantage', /^(effect|enchant|xp|experience|gamemode|attribute|heal|feed|god|fly|speed)\b/],
  [
    'advantage',
    /^(give|item|i|loot|kit)\b.*\b(sword|axe|pickaxe|shovel|bow|crossbow|trident|mace|shield|helmet|chestplate|leggings|boots|armou?r|netherite|diamond|elytra|totem|potion|golden_apple|enchanted)/,
  ],
  ['currency', /^(eco|economy|money|pay|points|coins|tokens|gems|credits)\b/],
  ['chance', /^(crates?|keys?|loot|lootbox|cc|crazycrates?)\b/],
]
const textRules: readonly [ShopFinding, RegExp][] = [
  ['operator', /\b(operator|admin(istrator)?( rights| permissions)?|op rights)\b/],
  [
    'advantage',
    /\b(op kit|overpowered|god ?mode|pay ?to ?win|sharpness|protection iv|keep ?inventory|fly|latanie|flug)\b/,
  ],
  ['currency', /\b(coins?|monet\w*|münzen|gems?|credits?|in-game (money|currency)|dolar\w*)\b/],
  ['cape', /\b(capes?|peleryn\w*|umh[aä]ng\w*)\b/],
  ['chance', /\b(crates?|loot ?box(es)?|mystery|random|skrzyn\w*|los(owa|uj)\w*|zufall\w*|lotter\w*)\b/],
  ['looks_official', /\b(official|oficjaln\w*|offiziell\w*)\b.*\bminecraft\b|\bmojang\b|\bminecoins?\b/],
]

/** Each finding once, in the order of the table. */
export function findInItem(item: {
  name: string
  description: string
  commands: readonly { command: string }[]
}): ShopFinding[] {
  const text = `${item.name}\n${item.description}`.toLowerCase()
  const commands = item.commands.map(({ command }) =>
    command
      .trim()
      .toLowerCase()
      .replace(/^\//, '')
      .replace(/^[a-z_-]+:/, ''),
  )
  const found = new Set<ShopFinding>()
  for (const [finding, rule] of commandRules) if (commands.some((command) => rule.test(command))) found.add(finding)
  for (const [finding, rule] of textRules) if (rule.test(text)) found.add(finding)
  return shopFindings.filter((finding) => found.has(finding))
}
