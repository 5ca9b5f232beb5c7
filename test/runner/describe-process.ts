/** Process state that a test file might change and not restore. */

/** Listeners that decide how the process ends; modules may add others when they load. */
const ENDS = ['uncaughtException', 'unhandledRejection', 'SIGINT', 'SIGTERM'] as const

/** Set by sharp when it loads. */
const LOADED = 'VIPSHOME'

/** Each part by its name; unchanged parts are equal. */
export function describeProcess(): Map<string, unknown> {
  const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis))
    // Node creates its own globals on first access. Each copy of the helpers of compiled TypeScript sets them anew when it
    // loads, which may be long after it was asked for.
    .filter(([name, { value }]) => value !== undefined && !name.startsWith('__'))
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
