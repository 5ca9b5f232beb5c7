/** Reads Mattermost's bulk export: lines of JSON, mostly in a zip. Lists are read first, and the posts in a second pass. */

import { basename, dirname } from 'node:path'
import { type Fields, firstText, toFields, toList, toPositive, toText, toTexts } from '../fields.ts'
import { type Archive, type ArchiveEntry, filesOf, filterNames } from '../archive.ts'
import { FolderArchive } from '../folder-archive.ts'
import { JsonEntries } from '../json-entries.ts'
import { Lists } from '../lists.ts'
import type { ForeignOwn } from '../own/records.ts'
import { readChoices } from './choices.ts'
import { readPost } from './posts.ts'
import { type ForeignMessage, type ForeignSource, ImportError, type Loss, type Names } from '../records.ts'
import { type ReadMessage, sortMessages } from '../sorted-messages.ts'
import { translateMattermost } from './translate.ts'
import { openArchive } from '../open-archive.ts'

/** Lines that say nothing of an organization's content. */
const IGNORED = new Set(['version', 'scheme', 'role'])

/** Opens an export, a zip or the lines themselves; what cannot come over goes to `lose`. */
export async function openMattermost(path: string, lose: (loss: Loss) => void): Promise<ForeignSource> {
  // The files lie beside the lines.
  if (path.endsWith('.jsonl')) return open(new FolderArchive(dirname(path)), basename(path), { path, lose })
  return openArchive(path, lose, async (archive) => {
    const names = await filterNames(archive, (name) => /^[^/]*\.jsonl$/.test(name))
    if (names[0] === undefined || names.length > 1)
      throw new ImportError(`${path} has ${names.length} .jsonl files: a Mattermost export has one`)
    return open(archive, names[0], { path, lose })
  })
}

async function open(
  archive: Archive,
  name: string,
  { path, lose }: { readonly path: string; readonly lose: (loss: Loss) => void },
) {
  const entry = await archive.find(name)
  if (!entry) throw new ImportError(`${path} cannot be opened`)
  const source = new MattermostArchive(archive, entry, lose)
  await source.readLists()
  if (!source.isKnown) throw new ImportError(`${path} has no version line: it is not a Mattermost export`)
  return source
}

class MattermostArchive implements ForeignSource {
  readonly product = 'mattermost'
  readonly origin = 'mattermost'
  isKnown = false
  readonly lists: Lists
  readonly files
  readonly #entries: JsonEntries
  readonly #lines: ArchiveEntry
  readonly #lose: (loss: Loss) => void

  constructor(archive: Archive, lines: ArchiveEntry, lose: (loss: Loss) => void) {
    this.#lines = lines
    this.#lose = lose
    this.lists = new Lists(lose)
    this.#entries = new JsonEntries(lose)
    // Some exports have the files below `data`, some beside it, whatever the lines say.
    const namesOf = (path: string) => {
      const plain = path.replace(/^(?:\.?\/)*(?:data\/)?/, '')
      return [`data/${plain}`, plain]
    }
    this.files = filesOf(archive, { namesOf })
  }

  async readLists(): Promise<void> {
    for await (const line of this.#entries.lines(this.#lines)) this.#noteLine(line)
    this.#entries.isListed = true
  }

  messages(): AsyncGenerator<ForeignMessage> {
    return sortMessages(this.#posts(), this.#lose)
  }

  async *own(): AsyncGenerator<ForeignOwn> {
    for await (const line of this.#entries.lines(this.#lines))
      if (line['type'] === 'user') yield* readChoices(toFields(line['user']))
  }

  translate({ text, place }: Pick<ForeignMessage, 'place' | 'text'>, names: Names): string {
    return translateMattermost(text, names, place.slice(0, place.indexOf('/') + 1))
  }

  async *#posts(): AsyncGenerator<ReadMessage> {
    for await (const line of this.#entries.lines(this.#lines)) {
      const type = toText(line['type'])
      if (type !== 'post' && type !== 'direct_post') continue
      const fields = toFields(line[type])
      const place = type === 'post' ? channelId(fields) : directId(toTexts(fields['channel_members']))
      yield* readPost(fields, place)
    }
  }

  #noteLine(line: Fields): void {
    const type = toText(line['type'])
    const fields = toFields(line[type])
    switch (type) {
      case 'version':
        this.isKnown = true
        return
      case 'user':
        return this.#noteUser(fields)
      case 'bot':
        return this.#noteBot(fields)
      case 'channel':
        return this.#noteChannel(fields)
      case 'direct_channel':
      case 'direct_post':
        return this.#noteConversation(fields)
      case 'emoji':
        return this.#noteEmoji(fields)
      case 'team':
      case 'post':
        return
    }
    if (!IGNORED.has(type))
      this.#lose({ place: undefined, reason: 'a line of an unknown kind', example: type || 'no type' })
  }

  #noteEmoji(fields: Fields): void {
    const name = toText(fields['name'])
    this.lists.emoji.set(name, { name, author: '', picture: { path: toText(fields['image']) } })
  }

  #noteChannel(fields: Fields): void {
    const id = channelId(fields)
    this.lists.addChannel({
      id,
      label: id,
      name: firstText(fields['display_name'], fields['name']),
      description: [firstText(fields['purpose']), firstText(fields['header'])].filter(Boolean).join('\n\n'),
      isPrivate: fields['type'] !== 'O',
      isArchived: toPositive(fields['deleted_at'] ?? fields['delete_at']) !== undefined,
      createdAt: undefined,
      creator: undefined,
      members: this.lists.membersOf(id),
    })
  }

  #noteUser(fields: Fields): void {
    const id = toText(fields['username'])
    const picture = toText(fields['profile_image'])
    const fullName = `${toText(fields['first_name'])} ${toText(fields['last_name'])}`
    this.lists.addUser({
      id,
      name: firstText(fullName, fields['nickname'], id),
      email: toText(fields['email']),
      kind: /\bsystem_guest\b/.test(toText(fields['roles'])) ? 'guest' : 'member',
      role: /\bsystem_admin\b/.test(toText(fields['roles'])) ? 'administrator' : undefined,
      isActive: toPositive(fields['delete_at']) === undefined,
      timezone: firstText(
        toFields(fields['timezone'])['manualTimezone'],
        toFields(fields['timezone'])['automaticTimezone'],
      ),
      ...(picture === '' ? {} : { avatar: { path: picture } }),
    })
    for (const one of toList(fields['teams'])) {
      const team = toFields(one)
      for (const channel of toList(team['channels']))
        this.lists.addMember(`${toText(team['name'])}/${toText(toFields(channel)['name'])}`, id)
    }
  }

  #noteBot(fields: Fields): void {
    const id = toText(fields['username'])
    const isActive = toPositive(fields['delete_at']) === undefined
    const name = firstText(fields['display_name'], id)
    this.lists.users.delete(id) // Some exports have bots among the people, too.
    this.lists.addUser({ id, name, email: '', kind: 'bot', isActive, timezone: '' })
  }

  /** Posts have their members, too: not every export has a line for each conversation. */
  #noteConversation(fields: Fields): void {
    const participants = toList(fields['participants']).map((one) => toText(toFields(one)['username']))
    const members = [...toTexts(fields['members']), ...toTexts(fields['channel_members']), ...participants]
    const names = [...new Set(members.filter(Boolean))]
    const id = directId(names)
    this.lists.addConversation({ id, label: id, members: names })
  }
}

const channelId = (fields: Fields) =>
  `${toText(fields['team'])}/${toText(fields['name']) || toText(fields['channel'])}`
const directId = (members: readonly string[]) => `direct: ${[...new Set(members)].sort().join(', ')}`
