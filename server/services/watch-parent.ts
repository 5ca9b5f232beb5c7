/** Notices the death of the launcher, bin/parley.mjs, where the kernel does not tell us by a signal. */

/**
 * Calls `onDeath` once when bin/parley.mjs dies without having ended this process.
 *
 * Does nothing when this process was started otherwise, and nothing where setpriv exists: there the kernel sends
 * SIGTERM, which the process handles anyway. Never keeps the process alive.
 */
export function watchParent(onDeath: () => void): void {
  const isLaunched = process.env.PARLEY_LAUNCHER === 'ipc'
  // What we start ourselves has other parents, and must not take their channels for the launcher's.
  delete process.env.PARLEY_LAUNCHER
  if (!isLaunched) return
  if (!process.connected) {
    onDeath()
    return
  }
  process.once('disconnect', onDeath)
  process.channel?.unref() // Listening for the end of a channel counts as using it.
}
