/** What a test file might change in its process and forget to put back, for the files that come after it. */

/** Listeners that decide how the process ends; modules may add others when they are first loaded. */
const ENDS = ['uncaughtException', 'unhandledRejection', 'SIGINT', 'SIGTERM'] as const

/** Set by sharp when it is loaded. */
const LOADED = 'VIPSHOME'

/** Each thing by its name; what is equal is the same. */
export function describeProcess(): Map<string, unknown> {
  const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis))
    // The process's own are made when first asked for.
    .filter(([, { value }]) => value !== undefined)
    .map(([name, { value }]) => [`global ${name}`, value] as const)
  return new Map<string, unknown>([
    ['Date.now', Date.now],
    ['Math.random', Math.random],
    ...Object.entries(process.env)
      .filter(([name]) => name !== LOADED)
      .map(([name, value]) => [`env ${name}`, value] as const),
    ...ENDS.map((name) => [`listeners of ${name}`, process.listenerCount(name)] as const),
    ...globals,
  ])
}
