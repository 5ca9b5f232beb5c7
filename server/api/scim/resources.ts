/** The operations that every SCIM resource type provides. */

import { hash } from 'node:crypto'
import { type JsonObject, SCIM_PATH } from '../../domain/scim/attributes.ts'
import type { Compared, Filter } from '../../domain/scim/filters.ts'
import type { UserSet } from '../../domain/users/user-set.ts'
import type { Services } from '../services.ts'

/** The members of groups that a representation has. */
export type ShownMembers = 'all' | UserSet

/** Resources of a type. Entries of the state stand for them until they are read as items. */
export interface Resources<Entry, Item> {
  readonly type: 'User' | 'Group'
  /** The attributes that filters may name. */
  readonly compared: Compared
  /**
   * Resources among which are all that match, in the order of their ids; undefined if the filter names nothing by which few
   * are found.
   */
  find(services: Services, filter: Filter | undefined): Promise<readonly Entry[] | undefined>
  /** Entries with what is stored of them, in the same order. */
  load(services: Services, entries: readonly Entry[]): Promise<readonly Item[]>
  /** The resource with an id; undefined if there is none. */
  get(services: Services, id: string): Promise<Item | undefined>
  /** The members of an entry, which its representation lists; left out where there are none. */
  countMembers?(entry: Entry): number
  /** Their representations, in the same order, with these members alone; the versions are those with all. */
  view(services: Services, items: readonly Item[], members: ShownMembers): Promise<readonly JsonObject[]>
  /** Makes one; answers its id. This and the following throw a `ScimError` or an error of the API. */
  create(services: Services, body: JsonObject): Promise<string>
  /** This and the following also throw a `StaleScimError` if the item is another one by now. */
  replace(services: Services, item: Item, body: JsonObject): Promise<void>
  patch(services: Services, item: Item, body: JsonObject): Promise<void>
  remove(services: Services, item: Item): Promise<void>
}

/** Data for the description of a representation. */
interface Described {
  readonly type: 'User' | 'Group'
  readonly schema: string
  readonly id: number
  readonly created: number | null
  /** The version changes with any part of this. */
  readonly versioned: unknown
}

/** A representation with its description. */
export function withMeta(
  { publicUrl }: Services,
  { type, schema, id, created, versioned }: Described,
  attributes: JsonObject,
): JsonObject {
  const version = `W/"${hash('sha256', JSON.stringify(versioned), 'hex').slice(0, 32)}"`
  return {
    schemas: [schema],
    id: String(id),
    ...attributes,
    meta: {
      resourceType: type,
      ...(created === null ? {} : { created: new Date(created * 1000).toISOString() }),
      location: `${publicUrl}${SCIM_PATH}/${type}s/${id}`,
      version,
    },
  }
}
