/** A limit for benchmarks that report figures while they run: those that are known count. */

/**
 * Runs work until it ends or its time is over, and answers whether it ended. It rejects as the work does; what fails
 * after that time, as when servers close under it, is ignored.
 */
export async function runInTime(limitMs: number, work: () => Promise<void>): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), limitMs)
  const running = work().then(() => true)
  running.catch(() => undefined)
  try {
    return await Promise.race([running, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
