/** Preloaded into a server that is measured: answers `memory` with what is left after a collection, and its processor time. */

process.on('message', (message) => {
  if (message !== 'memory') return
  const { user, system } = process.cpuUsage()
  collect()
  process.send?.({ ...process.memoryUsage(), processorMs: (user + system) / 1_000 })
})

/** Twice, since what the first one finalizes is only freed by the second. */
function collect(): void {
  const { gc } = globalThis as { gc?: () => void }
  if (!gc) throw new Error('--expose-gc is missing')
  gc()
  gc()
}
