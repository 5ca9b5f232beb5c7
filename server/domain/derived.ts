/**
 * Values that are made of other objects, each once: the one way to remember them. A value goes when what it was made of
 * goes, so none has to be emptied. What is remembered by a key instead of by an object has a bound, in an `LRUCache`.
 */

/** Makes a value of an object when it is first asked for, and remembers it for as long as the object lives. */
export function derived<Source extends object, Value>(
  make: (source: Source) => Value,
): (source: Source) => Value {
  const values = new WeakMap<Source, { readonly value: Value }>()
  return (source) => {
    let known = values.get(source)
    if (known === undefined) values.set(source, (known = { value: make(source) }))
    return known.value
  }
}

/** The same of two objects of which the second changes seldom: the value is made anew when it is another than before. */
export function derivedWith<Source extends object, Other, Value>(
  make: (source: Source, other: Other) => Value,
): (source: Source, other: Other) => Value {
  const values = new WeakMap<Source, { readonly other: Other; readonly value: Value }>()
  return (source, other) => {
    let known = values.get(source)
    if (known?.other !== other) values.set(source, (known = { other, value: make(source, other) }))
    return known.value
  }
}

/** Makes a value when it is first asked for, and keeps it: for libraries and tables that few processes need. */
export function lazy<Value>(make: () => Value): () => Value {
  let known: { readonly value: Value } | undefined
  return () => (known ??= { value: make() }).value
}

/** Makes a value for each of a few small whole numbers, such as sums of flags, when it is first asked for. */
export function tabulated<Value>(make: (index: number) => Value): (index: number) => Value {
  const values: (Value | undefined)[] = []
  return (index) => (values[index] ??= make(index))
}
