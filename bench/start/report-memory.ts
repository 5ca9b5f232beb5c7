/** Preloaded into a server whose memory is measured: answers `memory` with what is left after a collection. */

process.on('message', (message) => {
  if (message !== 'memory') return
  collect()
  process.send?.(process.memoryUsage())
})

/** Twice, since what the first one finalizes is only freed by the second. */
function collect(): void {
  const { gc } = globalThis as { gc?: () => void }
  if (!gc) throw new Error('--expose-gc is missing')
  gc()
  gc()
}
