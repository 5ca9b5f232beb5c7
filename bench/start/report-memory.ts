/**
 * Preloaded into a measured server: answers `memory` with the memory after a garbage collection, and its processor
 * time.
 */

process.on('message', (message) => {
  if (message !== 'memory') return
  const { user, system } = process.cpuUsage()
  collect()
  process.send?.({ ...process.memoryUsage(), processorMs: (user + system) / 1_000 })
})

/** Twice, since objects that the first one finalizes are only freed by the second. */
function collect(): void {
  const { gc } = globalThis as { gc?: () => void }
  if (!gc) throw new Error('--expose-gc is missing')
  gc()
  gc()
}
