/**
 * Reads Slack's export: `users.json`, `channels.json` and its like, and a folder of days for each channel. A Grid's
 * export has the same once more for each workspace, below `teams/`.
 */

import { type Fields, firstText, toFields, toList, toPositive, toText, toTexts } from '../fields.ts'
import { type ForeignMessage, type ForeignSource, ImportError, type Loss, type Names } from '../records.ts'
import { emojiOfEntry, fileIdsIn, fileOfEntry, readAvatar, readEmoji } from './files.ts'
import { Days, dayOf, nameOfDay } from './days.ts'
import { readSlackMessage } from './messages.ts'
import { translateSlack } from './translate.ts'
import { type Archive, type ArchiveEntry, EntryError, filesOf, filterNames } from '../archive.ts'
import { EntryTable } from '../entry-table.ts'
import { Lists } from '../lists.ts'
import { openArchive } from '../open-archive.ts'

const LISTS = ['channels', 'groups', 'mpims', 'dms'] as const
const CHANNELS = 'channels.json'
type List = (typeof LISTS)[number]
/** Slack opened in 2013: an earlier time stands for none. */
const FIRST_SECONDS = Date.UTC(2013, 0) / 1_000
/** Bytes of the days that are sorted together: those of one date, mostly a few megabytes. */
const DAY_BYTES_MAX = 32 * 1024 * 1024

/** A channel or conversation, with its folder of days. */
interface Place {
  readonly id: string
  readonly name: string
  readonly folder: string
  /** The times of pinned messages. */
  readonly pins: ReadonlySet<string>
}

/** A channel or conversation of a list. */
interface Listed {
  readonly id: string
  readonly name: string
  readonly list: List
  readonly fields: Fields
}

/** One file of messages. */
interface Day {
  readonly date: number
  readonly place: Place
  readonly entry: ArchiveEntry
}

/** Opens an export; what cannot come over goes to `lose`. */
export function openSlack(path: string, lose: (loss: Loss) => void): Promise<ForeignSource> {
  return openArchive(path, lose, async (zip) => {
    const lists = await filterNames(zip, (name) => name === CHANNELS || name.endsWith(`/${CHANNELS}`))
    const bases = lists.map((name) => name.slice(0, -CHANNELS.length))
    if (bases.length === 0)
      throw new ImportError(`${path} has no channels.json: it is not the export of a Slack workspace`)
    // By the ids of files.
    const uploads = await EntryTable.create(0, fileOfEntry)
    try {
      const reader = new SlackArchive(zip, uploads, lose)
      await reader.readLists(bases)
      return reader
    } catch (error) {
      await uploads.close()
      throw error
    }
  })
}

class SlackArchive implements ForeignSource {
  readonly product = 'slack'
  /** Slack's ids are unique among all workspaces. */
  readonly origin = 'slack'
  readonly #zip: Archive
  readonly #lose: (loss: Loss) => void
  readonly lists: Lists
  readonly files
  /** By the ids of bots. */
  readonly #userOfBot = new Map<string, string>()
  /** By their ids. */
  readonly #places = new Map<string, Place>()
  /** The same by the folders of their days. */
  readonly #folders = new Map<string, Place>()
  readonly #days = new Days()
  /** The places that have days, by the numbers that the days have for them. */
  readonly #placesOfDays: Place[] = []
  /** The files that the archive holds, by their ids. */
  readonly #uploads: EntryTable

  constructor(zip: Archive, uploads: EntryTable, lose: (loss: Loss) => void) {
    this.#zip = zip
    this.#lose = lose
    this.lists = new Lists(lose)
    this.#uploads = uploads
    this.files = filesOf(zip, {
      close: async () => {
        await uploads.close()
        await zip.close()
      },
    })
  }

  async readLists(bases: readonly string[]): Promise<void> {
    for (const base of new Set(['', ...bases])) {
      for (const name of ['users', 'org_users']) await this.#readUsers(`${base}${name}.json`)
      for (const list of LISTS) await this.#readPlaces(base, list)
    }
    await this.#sortNames()
    await this.#readEmoji()
  }

  /** Day by day, and within a day by time, over all channels. */
  async *messages(): AsyncGenerator<ForeignMessage> {
    let together: Day[] = []
    let bytes = 0
    for await (const { date, place: number } of this.#days.inOrder()) {
      const place = this.#placesOfDays[number]
      const entry = place && (await this.#zip.find(nameOfDay(place.folder, date)))
      if (!place || !entry) continue
      if (together[0] && (together[0].date !== date || bytes >= DAY_BYTES_MAX)) {
        yield* await this.#readDays(together)
        together = []
        bytes = 0
      }
      together.push({ date, place, entry })
      bytes += entry.size
    }
    yield* await this.#readDays(together)
  }

  translate({ text }: Pick<ForeignMessage, 'text'>, names: Names): string {
    return translateSlack(text, names)
  }

  async #readUsers(name: string): Promise<void> {
    for (const one of await this.#readList(name)) {
      const fields = toFields(one)
      const id = toText(fields['id'])
      // A Grid lists people in each of their workspaces.
      if (!this.lists.users.has(id)) this.#addUser(id, fields)
      const botId = toText(toFields(fields['profile'])['bot_id'])
      if (botId !== '' && id !== '') this.#userOfBot.set(botId, id)
    }
  }

  async #readPlaces(base: string, list: List): Promise<void> {
    for (const one of await this.#readList(`${base}${list}.json`)) {
      const fields = toFields(one)
      const id = toText(fields['id'])
      const name = firstText(fields['name'], id)
      const folder = `${base}${list === 'dms' ? id : name}/`
      for (const member of toTexts(fields['members'])) this.lists.addMember(id, member)
      const known = this.#places.get(id)
      // A Grid lists shared channels in each workspace, and has their days below each.
      this.#folders.set(folder, known ? { ...known, folder } : this.#newPlace({ id, name, folder, fields }))
      if (known) continue
      this.#addPlace({ id, name, list, fields })
    }
  }

  #newPlace({ id, name, folder, fields }: Omit<Listed, 'list'> & { folder: string }): Place {
    const pins = new Set(toList(fields['pins']).flatMap((pin) => toText(toFields(pin)['id']) || []))
    const place = { id, name, pins, folder }
    this.#places.set(id, place)
    return place
  }

  #addUser(id: string, fields: Fields): void {
    const profile = toFields(fields['profile'])
    const isBot = fields['is_bot'] === true || id === 'USLACKBOT'
    const avatar = readAvatar(profile)
    const isOwner = fields['is_owner'] === true || fields['is_primary_owner'] === true
    const isGuest = fields['is_restricted'] === true || fields['is_ultra_restricted'] === true
    this.lists.addUser({
      id,
      name: firstText(profile['real_name'], fields['real_name'], profile['display_name'], fields['name'], id),
      email: toText(profile['email']),
      kind: isBot ? 'bot' : isGuest ? 'guest' : 'member',
      role: isOwner ? 'owner' : fields['is_admin'] === true ? 'administrator' : undefined,
      isActive: fields['deleted'] !== true,
      timezone: toText(fields['tz']),
      ...(avatar ? { avatar } : {}),
    })
  }

  #addPlace({ id, name, list, fields }: Listed): void {
    const created = toPositive(fields['created'])
    const members = this.lists.membersOf(id)
    if (list === 'dms' || list === 'mpims') return this.lists.addConversation({ id, label: name, members })
    this.lists.addChannel({
      id,
      label: name,
      name,
      description: ['purpose', 'topic']
        .map((key) => firstText(toFields(fields[key])['value']))
        .filter(Boolean)
        .join('\n\n'),
      isPrivate: list === 'groups' || fields['is_private'] === true,
      isArchived: fields['is_archived'] === true,
      createdAt: created !== undefined && created >= FIRST_SECONDS ? created : undefined,
      creator: toText(fields['creator']) || undefined,
      members,
    })
  }

  /** A list at the top of an archive; archives without direct messages have no files for them. */
  async #readList(name: string): Promise<readonly unknown[]> {
    const entry = await this.#zip.find(name)
    return entry ? this.#readArray(entry, undefined) : []
  }

  /** Days, files and emoji: one pass over all names. */
  async #sortNames(): Promise<void> {
    const numbers = new Map<string, number>()
    for (const place of this.#folders.values()) numbers.set(place.folder, this.#placesOfDays.push(place) - 1)
    for await (const name of this.#zip.names()) {
      const file = fileOfEntry(name)
      if (file !== undefined) await this.#uploads.add(name, [], file)
      const emoji = emojiOfEntry(name)
      if (emoji) this.lists.emoji.set(emoji.name, emoji)
      const day = dayOf(name)
      if (!day) continue
      const place = numbers.get(day.folder)
      if (place !== undefined) this.#days.add(day.date, place)
      else
        this.#lose({ place: day.folder.slice(0, -1), reason: 'a folder of no listed channel', example: name })
    }
  }

  async #readEmoji(): Promise<void> {
    const entry = await this.#zip.find('emoji.json')
    const list = entry ? await this.#readJson(entry, undefined) : undefined
    readEmoji(toFields(list), {
      found: this.lists.emoji,
      lose: (name) =>
        this.#lose({ place: undefined, reason: 'another name of a custom emoji', example: `:${name}:` }),
    })
  }

  async #readDays(days: readonly Day[]): Promise<ForeignMessage[]> {
    const messages: ForeignMessage[] = []
    for (const day of days) for (const one of await this.#readDay(day)) messages.push(one)
    return messages.sort((one, other) => Number(one.key.split('/')[0]) - Number(other.key.split('/')[0]))
  }

  async #readDay({ place, entry }: Day): Promise<ForeignMessage[]> {
    const messages: ForeignMessage[] = []
    const context = { userOfBot: this.#userOfBot, place: place.id, pins: place.pins }
    for (const one of await this.#readArray(entry, place.name)) {
      const fields = toFields(one)
      const read = readSlackMessage(fields, { ...context, entryOfFile: await this.#findUploads(fields) })
      if (!('left' in read)) messages.push(read)
      else this.#lose({ place: place.name, reason: read.left, example: `${entry.name}: ${read.example}` })
    }
    return messages
  }

  /** The entries of a message's files. */
  async #findUploads(fields: Fields): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    for (const id of fileIdsIn(fields)) {
      const upload = await this.#uploads.find(id)
      if (upload) found.set(id, upload.name)
    }
    return found
  }

  async #readArray(entry: ArchiveEntry, place: string | undefined): Promise<readonly unknown[]> {
    const value = await this.#readJson(entry, place)
    if (Array.isArray(value)) return value
    if (value !== undefined) this.#lose({ place, reason: 'a file that is no list', example: entry.name })
    return []
  }

  async #readJson(entry: ArchiveEntry, place: string | undefined): Promise<unknown> {
    try {
      return JSON.parse((await entry.read()).toString('utf8'))
    } catch (error) {
      if (!(error instanceof EntryError) && !(error instanceof SyntaxError)) throw error
      this.#lose({ place, reason: 'a file that cannot be read', example: `${entry.name}: ${error.message}` })
      return undefined
    }
  }
}
