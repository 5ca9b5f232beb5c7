/** Returns a function that makes a value at its first call: a formatter loads the data of a language, for milliseconds. */
export function makeOnce<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
