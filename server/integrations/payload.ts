/** Reads payloads that may lack anything, or have it in another form. */

/** The payload is not what its sender documents. */
export class UnreadablePayload extends Error {
  override readonly name = 'UnreadablePayload'
}

/** The payload is what its sender documents, and has no text to post. */
export class EmptyPayload extends UnreadablePayload {}

type Path = readonly (string | number)[]

/** The value at a path of keys and indexes; undefined if it is not there. */
export function at(value: unknown, ...path: Path): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string | number, unknown>)[key]
  }
  return found
}

/** The text or number there, as trimmed and well-formed text: JSON may have halves of characters. Empty for anything else. */
export function textAt(value: unknown, ...path: Path): string {
  const found = at(value, ...path)
  if (typeof found === 'number') return String(found)
  return typeof found === 'string' ? found.trim().toWellFormed() : ''
}

/** The first of some texts that is not empty; empty if all are. */
export function firstOf(...texts: readonly string[]): string {
  return texts.find((text) => text !== '') ?? ''
}

/** The text there; throws if it is missing. */
export function neededText(value: unknown, ...path: Path): string {
  const text = textAt(value, ...path)
  if (text === '') throw new UnreadablePayload(`${path.join('.')} is missing`)
  return text
}

/** The number there, also if it is written as text; undefined for anything else. */
export function numberAt(value: unknown, ...path: Path): number | undefined {
  const text = textAt(value, ...path)
  const number = text === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** The list there; empty for anything else. */
export function listAt(value: unknown, ...path: Path): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** The object there; throws if there is none. */
export function neededObject(value: unknown, ...path: Path): Readonly<Record<string, unknown>> {
  const found = at(value, ...path)
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw new UnreadablePayload(`${path.join('.') || 'the payload'} is no object`)
  return found as Record<string, unknown>
}

/** The names and values of the texts of an object there. */
export function textsAt(value: unknown, ...path: Path): readonly (readonly [name: string, text: string])[] {
  const found = at(value, ...path)
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return []
  return Object.keys(found).map((name) => [name, textAt(found, name)] as const)
}
