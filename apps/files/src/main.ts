/**
 * The files service of one server. Its only argument is the path of its configuration; with `--tree` or `--players` it is
 * the process that reads files for it. What the other needs is not loaded.
 */
const [, , first, second] = process.argv
if (first === undefined) await import('./warm.ts')
else if (first === '--players') await (await import('./players-reader.ts')).workOnPlayers(JSON.parse(second!))
else if (first === '--tree') await (await import('./tree-reader.ts')).readAsTree(JSON.parse(second!))
else (await import('./run.ts')).runService(first)
