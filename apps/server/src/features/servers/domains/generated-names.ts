/** Words that names are made of; each pair fits an address with its number. */
export const adjectives = (
  'able agile amber ancient arctic autumn awake bold brave breezy bright brisk bronze calm candid careful cheery clever cloudy cosy ' +
  'copper coral crafty crimson crisp curious daring dapper dawn deep eager early earthy easy epic fair faithful fancy fast fearless ' +
  'fierce fiery floral foggy fond fresh friendly frosty gentle giant gifted glad gleaming golden grand green happy hardy hazy hidden ' +
  'honest humble icy jolly keen kind lively loyal lucky lunar mellow merry mighty misty modest mossy neat nimble noble northern patient ' +
  'placid polite proud quick quiet rapid rustic sandy secret shiny silent silver sleepy sly snowy solar steady stormy sunny swift'
).split(' ')

export const mobs = (
  'allay axolotl bat bee blaze camel cat chicken cod cow creeper dolphin donkey drowned enderman fox frog ghast goat golem ' +
  'horse llama ocelot panda parrot phantom rabbit salmon slime squid turtle wolf'
).split(' ')
