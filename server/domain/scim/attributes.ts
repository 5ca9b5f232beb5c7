/** Attributes of SCIM resources as plain JSON: names without regard to case, and values as providers send them. */

/** The path of SCIM on this server. */
export const SCIM_PATH = '/scim/v2'

/** A resource, or a part of one. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of an attribute; undefined for one that is absent or null, which are the same (RFC 7643, 2.5). */
export function valueOf(object: JsonObject, name: string): unknown {
  // Nearly all have it in its own spelling, and long lists ask for each of their values.
  if (Object.hasOwn(object, name)) return object[name] ?? undefined
  const wanted = name.toLowerCase()
  const key = Object.keys(object).find((one) => one.toLowerCase() === wanted)
  return key === undefined ? undefined : (object[key] ?? undefined)
}

/** The values of an attribute with several; a single one stands for a list of itself. */
export function listOf(object: JsonObject, name: string): readonly unknown[] {
  const value = valueOf(object, name)
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

/** The only value of an attribute: Microsoft Entra also sends it within a list, or as `{"value": …}` within one. */
export function unwrap(value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 1) return value
  const [only]: readonly unknown[] = value
  return isObject(only) && 'value' in only ? only.value : only
}

/** A truth value; Microsoft Entra sends it as a text. Undefined if it is none. */
export function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  return text === 'true' ? true : text === 'false' ? false : undefined
}

/** The number of an id; undefined for a text that is none. */
export function readId(text: string): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
}
