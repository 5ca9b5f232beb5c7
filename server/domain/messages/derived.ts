/**
 * Values derived from other objects, each computed once: the one way to cache them. A value lives as long as its
 * source, so no cache needs emptying. Caches by key instead of by object have a bound, in an `LRUCache`.
 */

/** Computes a value of an object on first use, and caches it for as long as the object lives. */
export function derived<Source extends object, Value>(
  make: (source: Source) => Value,
): (source: Source) => Value {
  const values = new WeakMap<Source, { readonly value: Value }>()
  return (source) => {
    let cached = values.get(source)
    if (cached === undefined) values.set(source, (cached = { value: make(source) }))
    return cached.value
  }
}

/** Like `derived`, of two objects of which the second changes seldom: a new second object replaces the value. */
export function derivedWith<Source extends object, Other, Value>(
  make: (source: Source, other: Other) => Value,
): (source: Source, other: Other) => Value {
  const values = new WeakMap<Source, { readonly other: Other; readonly value: Value }>()
  return (source, other) => {
    let cached = values.get(source)
    if (cached?.other !== other) values.set(source, (cached = { other, value: make(source, other) }))
    return cached.value
  }
}

/** Computes a value on first use, and keeps it: for libraries and tables that few processes need. */
export function lazy<Value>(make: () => Value): () => Value {
  let cached: { readonly value: Value } | undefined
  return () => (cached ??= { value: make() }).value
}

/** Computes a value for each of a few small whole numbers, such as sums of flags, on first use. */
export function tabulated<Value>(make: (index: number) => Value): (index: number) => Value {
  const values: (Value | undefined)[] = []
  return (index) => (values[index] ??= make(index))
}
