/** Names in place of the ids of an export: two servers with the same contents have other ids, but the same names. */

import { type Fields, toFields, toList, toText } from '../../changes/imports/fields.ts'
import type { OpenExport } from './open-export.ts'

/** The end of addresses that imports make for people without one. */
const NOWHERE = '@import.invalid'

/** The names of one list. */
class NamesById {
  readonly #names = new Map<number, string>()
  readonly #taken = new Set<string>()

  /** Of several things with one name, each has its number. */
  note(id: unknown, name: string): void {
    let free = name
    for (let count = 2; this.#taken.has(free); count++) free = `${name} (${count})`
    this.#taken.add(free)
    this.#names.set(Number(id), free)
  }

  /** The name of an id, or what was given. */
  nameOf(id: unknown): unknown {
    return id === null ? null : (this.#names.get(Number(id)) ?? id)
  }
}

/** The names of the ids of one export; an id that its lists lack stays a number. */
export class ExportNames {
  readonly #users = new NamesById()
  readonly #channels = new NamesById()
  readonly #groups = new NamesById()
  readonly #folders = new NamesById()
  readonly #emoji = new NamesById()
  readonly #files = new Map<string, string>()
  readonly #fields = new Map<string, Fields>()
  /** The message of the other export that each message is. */
  readonly messages = new Map<number, number>()

  static async read(from: OpenExport): Promise<ExportNames> {
    const names = new ExportNames()
    for await (const one of from.list('users')) names.#users.note(one['id'], nameOfUser(one))
    for await (const one of from.list('channels')) names.#channels.note(one['id'], toText(one['name']))
    for await (const one of from.list('groups')) names.#groups.note(one['id'], toText(one['name']))
    for await (const one of from.list('folders')) names.#folders.note(one['id'], toText(one['name']))
    for await (const one of from.list('emoji')) names.#emoji.note(one['id'], toText(one['name']))
    for await (const one of from.list('files')) {
      const hash = (await from.hashOf(one['file'])) ?? 'no bytes'
      names.#files.set(toText(one['path']), `file ${toText(one['name'])} ${hash}`)
    }
    for (const field of toList(toFields(from.head['organization'])['profile_fields'])) {
      const fields = toFields(field)
      names.#fields.set(String(fields['id']), fields)
    }
    return names
  }

  user = (id: unknown): unknown => this.#users.nameOf(id)
  channel = (id: unknown): unknown => this.#channels.nameOf(id)
  group = (id: unknown): unknown => this.#groups.nameOf(id)
  folder = (id: unknown): unknown => this.#folders.nameOf(id)
  emoji = (id: unknown): unknown => this.#emoji.nameOf(id)
  file = (path: unknown): unknown => this.#files.get(toText(path)) ?? path
  message = (id: unknown): unknown =>
    this.messages.get(Number(id)) ?? `${String(id)}, which only this export has`

  /** Values by the names of profile fields. */
  profile = (given: unknown): unknown =>
    Object.fromEntries(
      Object.entries(toFields(given)).map(([id, value]) => {
        const { name = id, type } = this.#fields.get(id) ?? {}
        // A list of people, as JSON.
        return [name, type === 6 ? toList(JSON.parse(toText(value))).map(this.user) : value]
      }),
    )

  /** A text, or HTML, with names and the contents of files in place of ids and addresses. */
  text = (given: unknown): unknown => {
    if (typeof given !== 'string') return given
    return (
      given
        // An import writes the id of a person whom a text mentions by name alone; the HTML says who it is.
        .replaceAll(/\|\d{1,9}\*\*/g, '**')
        .replaceAll(/data-user-id="(\d{1,9})"/g, (_, id) => `data-user-id="${String(this.user(id))}"`)
        .replaceAll(
          /data-user-group-id="(\d{1,9})"/g,
          (_, id) => `data-user-group-id="${String(this.group(id))}"`,
        )
        .replaceAll(/data-stream-id="(\d{1,9})"/g, (_, id) => `data-stream-id="${String(this.channel(id))}"`)
        .replaceAll(/(#?narrow\/channel\/)(\d{1,9})/g, (_, head, id) => `${head}${String(this.channel(id))}`)
        // The newest message of a topic when the link was written.
        .replaceAll(/\/with\/\d+/g, '')
        .replaceAll(/\/near\/\d+/g, '/near')
        .replaceAll(/\/user_uploads\/([^\s()<>"']+)/g, (whole, path: string) => {
          const name = this.#files.get(
            decode(path.replace(/^thumbnail\//, '').replace(/\/\d+x\d+(?:-\w+)?\.\w+$/, '')),
          )
          return name ?? whole
        })
        .replaceAll(/\/user_avatars\/1\/emoji\/images\/(?:still\/)?[0-9a-f]{32}\.\w+/g, 'emoji')
    )
  }
}

function nameOfUser(user: Fields): string {
  if (user['is_system_bot'] === true) return 'system bot'
  const email = toText(user['email'])
  return email === '' || email.endsWith(NOWHERE) ? toText(user['full_name']) : email
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
