/** Small settings of this device, such as folded sections: they survive a closed page. */

import { effect, type Signal, signal } from '@preact/signals'

/** A value that this browser holds; `read` refuses what an older version stored. */
export function deviceSetting<Value>(
  name: string,
  { start, read }: { readonly start: Value; readonly read: (stored: unknown) => Value | undefined },
): Signal<Value> {
  const key = `parley-${name}`
  const value = signal(load())
  let isFirst = true
  effect(() => {
    const text = JSON.stringify(value.value)
    if (!isFirst) store(key, text)
    isFirst = false
  })
  return value

  function load(): Value {
    try {
      const stored = localStorage.getItem(key)
      return (stored === null ? undefined : read(JSON.parse(stored))) ?? start
    } catch {
      // The browser refuses storage, or something else was stored.
      return start
    }
  }
}

function store(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // The browser refuses storage: the setting lasts as long as the page.
  }
}

export const readBoolean = (stored: unknown) => (typeof stored === 'boolean' ? stored : undefined)

export const readNumber = (stored: unknown) => (typeof stored === 'number' ? stored : undefined)

export const readTexts = (stored: unknown) =>
  Array.isArray(stored) && stored.every((one) => typeof one === 'string') ? (stored as string[]) : undefined
