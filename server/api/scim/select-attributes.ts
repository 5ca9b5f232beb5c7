/** The attributes of a resource that a request wants (RFC 7644, 3.9). */

import { isObject, type JsonObject } from '../../domain/scim/attributes.ts'

/** Attributes that are always there. */
const ALWAYS: readonly string[] = ['schemas', 'id']
/** Names of one list. */
const NAMES_MAX = 100

/** The resource with `attributes`, or without `excludedAttributes`. */
export function selectAttributes(resource: JsonObject, query: ReadonlyMap<string, string>): JsonObject {
  const wanted = readNames(query.get('attributes'))
  const unwanted = readNames(query.get('excludedAttributes'))
  if (wanted.length > 0) return keep(resource, (path) => ALWAYS.includes(path) || covers(wanted, path))
  if (unwanted.length === 0) return resource
  return keep(resource, (path) => (ALWAYS.includes(path) ? true : unwanted.includes(path) ? false : 'parts'))
}

/** Whether an attribute, or a part of it, is wanted. */
export function isWanted(attribute: string, query: ReadonlyMap<string, string>): boolean {
  const wanted = readNames(query.get('attributes'))
  if (wanted.length > 0) return covers(wanted, attribute) !== false
  return !readNames(query.get('excludedAttributes')).includes(attribute)
}

/** Names in lower case, without their schemas. */
function readNames(text = ''): readonly string[] {
  const names = text.split(',', NAMES_MAX).map((name) => name.trim().toLowerCase())
  return names.map((name) => name.slice(name.lastIndexOf(':') + 1)).filter((name) => name !== '')
}

/** Whether a path is wanted, or only some of its parts are. */
function covers(wanted: readonly string[], path: string): boolean | 'parts' {
  if (wanted.includes(path)) return true
  return wanted.some((one) => one.startsWith(`${path}.`)) && 'parts'
}

type Choose = (path: string) => boolean | 'parts'

function keep(object: JsonObject, choose: Choose, prefix = ''): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const path = `${prefix}${name.toLowerCase()}`
      const choice = choose(path)
      if (choice === false) return []
      if (choice === true) return [[name, value]]
      if (Array.isArray(value))
        return [[name, value.map((one) => (isObject(one) ? keep(one, choose, `${path}.`) : one))]]
      return [[name, isObject(value) ? keep(value, choose, `${path}.`) : value]]
    }),
  )
}
