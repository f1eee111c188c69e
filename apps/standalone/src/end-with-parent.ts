/** Loaded into every part: without the standalone, which would start it again and read its log, a part ends. */
process.channel?.unref()
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
