/**
 * The files service of one server. Its only argument is the path of its configuration; with `--tree` it is the process that
 * reads one file for it. What the other needs is not loaded.
 */
const [, , first, second] = process.argv
if (first === undefined) await import('./warm.ts')
else if (first === '--tree') await (await import('./tree-reader.ts')).readAsTree(JSON.parse(second!))
else (await import('./run.ts')).runService(first)
