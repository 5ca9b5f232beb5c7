/** Detects the death of the launcher, bin/parley.mjs, if the kernel sends no signal for it. */

/**
 * Calls `onDeath` once if bin/parley.mjs dies without ending this process.
 *
 * Does nothing if this process was started another way, or if setpriv exists: then the kernel sends SIGTERM, which the
 * process handles anyway. Never keeps the process alive.
 */
export function watchParent(onDeath: () => void): void {
  const isLaunched = process.env.PARLEY_LAUNCHER === 'ipc'
  // Child processes have other parents, and must not mistake their channels for the launcher's.
  delete process.env.PARLEY_LAUNCHER
  if (!isLaunched) return
  if (!process.connected) {
    onDeath()
    return
  }
  process.once('disconnect', onDeath)
  process.channel?.unref() // A listener for the channel's end would keep the process alive.
}
