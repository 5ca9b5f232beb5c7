/** The addresses of health, of web processes and workers. */

/** Answers while the process runs. */
export const LIVE_PATH = '/health/live'
/** Answer whether the process serves; the shorter one is what many monitors ask by default. */
export const READY_PATHS: readonly string[] = ['/health/ready', '/health']

/** Probes of routers, many from one address: their answers have some bytes, and must always come. */
export function isHealthPath(path: string): boolean {
  return path === LIVE_PATH || READY_PATHS.includes(path)
}
