/** Detects the death of npm, if the kernel sends no signal for it. */

const POLL_MS = 500

/**
 * Calls `onDeath` once if the npm that started this process dies without ending it.
 *
 * Does nothing if this process was started another way, or if setpriv exists: then the kernel sends SIGTERM, which the
 * process handles anyway. Never keeps the process alive.
 */
export function watchParent(onDeath: () => void): void {
  const parent = process.env.PARLEY_PARENT
  // Child processes have other parents.
  delete process.env.PARLEY_PARENT
  if (parent === undefined) return
  const timer = setInterval(() => {
    if (String(process.ppid) === parent) return
    clearInterval(timer)
    onDeath()
  }, POLL_MS)
  timer.unref()
}
