/**
 * The files service of one server. Its only argument is the path of its configuration; with `--tree` it is the process that
 * reads one file for it, with `--players` and `--worlds` those that look into what the game keeps. What the others need is
 * not loaded.
 */
const [, , first, second] = process.argv
if (first === undefined) await import('./warm.ts')
else if (first === '--players') await (await import('./players-reader.ts')).workOnPlayers(JSON.parse(second!))
else if (first === '--tree') await (await import('./tree-reader.ts')).readAsTree(JSON.parse(second!))
else if (first === '--worlds') await (await import('./worlds/process.ts')).workOnWorlds(JSON.parse(second!))
else (await import('./run.ts')).runService(first)
