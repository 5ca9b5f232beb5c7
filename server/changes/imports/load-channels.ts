/** Brings channels and their members over. */

import { findImported, importKey, type ImportKey } from '../../../db/imports/imported-ids.ts'
import { type Decision, answering } from '../../decisions/decision.ts'
import type { ServerScope } from '../../decisions/scope.ts'
import type { Channel } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import {
  CHANNEL_PERMISSIONS,
  type ChannelPermissions,
  completePermissions,
} from '../../domain/groups/permissions.ts'
import type { ChannelId, FolderId, UserId } from '../../domain/ids.ts'
import { CHANNEL_DESCRIPTION_LENGTH_MAX } from '../../domain/limits.ts'
import { RETENTION_DAYS_MAX } from '../../../packages/rules/limits.ts'
import { renderMarkdown } from '../../../workers/pool/render-markdown.ts'
import { checkMerge, type ChosenNames, freeChannelName } from './channel-names.ts'
import { permissionsHere } from './load-permissions.ts'
import type { Loading } from './loading.ts'
import type { ForeignChannel, Names } from './records.ts'

/** Members who join in one change: it holds the log for some milliseconds. */
const MEMBERS_PER_CHANGE = 500
const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const

/** The channels of the product. */
export class ImportedChannels {
  readonly #ids = new Map<string, ChannelId>()
  /** The names of all channels, also of those that are still to come. */
  readonly #loading: Loading
  readonly #folders: ReadonlyMap<string, FolderId>
  readonly #chosen: ChosenNames | undefined
  /** The paths of files here, by those there. */
  files: ReadonlyMap<string, string> = new Map()
  /** Channels to archive in the end. */
  readonly archived: { readonly id: ChannelId; readonly key: ImportKey }[] = []

  constructor(loading: Loading, folders: ReadonlyMap<string, FolderId>, chosen?: ChosenNames) {
    this.#loading = loading
    this.#folders = folders
    this.#chosen = chosen
  }

  find(foreignId: string): ChannelId | undefined {
    return this.#ids.get(foreignId)
  }

  /** The names that texts may use. */
  get names(): Names {
    const { people, target } = this.#loading
    return {
      mention: (user) => people.mention(user),
      channel: (foreignId) => {
        const id = this.#ids.get(foreignId)
        return id === undefined ? undefined : `#**${target.state.getChannel(id).channel.name}**`
      },
      file: (path) => this.files.get(path),
    }
  }

  async load(): Promise<void> {
    const { source, people, report } = this.#loading
    for (const channel of source.lists.channels.values()) {
      const place = report.place(channel.label)
      place.kind = channel.isPrivate ? 'private' : 'public'
      await people.ensure(channel.members.map((id) => ({ id })))
      const id = await this.#bring(channel)
      this.#ids.set(channel.id, id)
      place.members = await this.#join(channel, id)
      if (channel.isArchived)
        this.archived.push({ id, key: importKey(source.origin, 'archived', channel.id) })
    }
  }

  async #bring(channel: ForeignChannel): Promise<ChannelId> {
    const { target, source, report } = this.#loading
    const key = importKey(source.origin, 'channel', channel.id)
    const known = (await findImported(target.sql, [key])).get(key)
    const place = report.place(channel.label)
    if (known !== undefined) {
      report.channels.already_imported++
      return known as ChannelId
    }
    const chosen = this.#chosen?.get(channel.label)
    const there = chosen === undefined ? undefined : target.state.findChannelByName(chosen)?.channel
    if (there) {
      await this.#merge(channel, there, key)
      return there.id
    }
    const name = channel.label
    const rules = { rules: CHANNEL_PERMISSIONS, name }
    const permissions = permissionsHere(this.#loading, channel.permissions ?? new Map(), rules)
    const made = await target.change(
      (scope) => this.#decide(scope, channel, permissions),
      ({ id }) => [[key, id]],
    )
    report.channels.created++
    if (made.name !== channel.name) {
      report.channels.renamed++
      place.imported_as = made.name
    }
    return made.id
  }

  /** Into a present channel, which stays as it is, also if the other one was archived. */
  async #merge(channel: ForeignChannel, there: Channel, key: ImportKey): Promise<void> {
    const { target, source, report } = this.#loading
    checkMerge(channel.label, channel.isPrivate, there)
    await target.change(
      () => answering(undefined, []),
      () => [
        [key, there.id],
        [importKey(source.origin, 'archived', channel.id), there.id],
      ],
    )
    report.channels.merged++
    if (there.name !== channel.name) report.place(channel.label).imported_as = there.name
  }

  #decide(
    scope: ServerScope,
    channel: ForeignChannel,
    permissions: Partial<ChannelPermissions>,
  ): Decision<Channel> {
    const { people, target } = this.#loading
    const creator = channel.creator === undefined ? undefined : people.find(channel.creator)
    const user = creator === undefined ? undefined : scope.state.getUser(creator)
    const creatorId = user?.isActive && user.botType === null ? user.id : target.owner.id
    const description = this.#describe(channel)
    const made: Channel = {
      id: scope.state.nextChannelId,
      name: freeChannelName(
        this.#loading.source.product,
        this.#chosen?.get(channel.label) ?? channel.name,
        (name) => scope.state.findChannelByName(name) !== undefined,
      ),
      description,
      renderedDescription: description === '' ? '' : renderMarkdown(description),
      createdAt: Math.min(Math.floor(channel.createdAt ?? scope.now), scope.now),
      creatorId,
      isPrivate: channel.isPrivate,
      isWebPublic: false,
      // Members of a private channel of other products read all of its messages.
      isHistoryPublic: channel.isHistoryPublic ?? true,
      retentionDays: retentionHere(channel.retentionDays),
      topicsPolicy: TOPICS_POLICIES.find((one) => one === channel.topicsPolicy) ?? 'inherit',
      hasLinkPreviews: channel.hasLinkPreviews ?? true,
      folderId: this.#folders.get(channel.folder ?? '') ?? null,
      isArchived: false,
      permissions: completePermissions(CHANNEL_PERMISSIONS, permissions, creatorId),
    }
    return answering(made, [{ type: 'stream/create', channels: [made] }])
  }

  #describe({ label, description, id }: ForeignChannel): string {
    const { source, report } = this.#loading
    const text = source
      .translate({ place: id, text: description }, this.names)
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim()
    const characters = Array.from(text)
    if (characters.length <= CHANNEL_DESCRIPTION_LENGTH_MAX) return text
    report.lose({ place: label, reason: 'the end of a description that is too long', example: text })
    return characters.slice(0, CHANNEL_DESCRIPTION_LENGTH_MAX).join('')
  }

  /** Subscribes the active members, except those of earlier runs; returns how many. */
  async #join(channel: ForeignChannel, channelId: ChannelId): Promise<number> {
    const { target, source, people, report } = this.#loading
    const keyOf = (id: string) => importKey(source.origin, 'member', channel.id, id)
    const members = [...new Set(channel.members)]
    const ownerKey = importKey(source.origin, 'owner', channel.id)
    const known = await findImported(target.sql, [...members.map(keyOf), ownerKey])
    const joining = new Map<UserId, ImportKey>()
    for (const foreignId of members) {
      const id = people.find(foreignId)
      if (id === undefined || known.has(keyOf(foreignId))) continue
      if (target.state.getUser(id).isActive) joining.set(id, keyOf(foreignId))
      else
        report.lose({
          place: channel.label,
          reason: 'the membership of a deactivated account',
          example: foreignId,
        })
    }
    if (channel.isOfOwner === true && !known.has(ownerKey)) joining.set(target.owner.id, ownerKey)
    const wanted = [...joining]
    for (let start = 0; start < wanted.length; start += MEMBERS_PER_CHANGE) {
      const part = wanted.slice(start, start + MEMBERS_PER_CHANGE)
      await target.change(
        ({ state }) => {
          const { channel: current, subscribers } = state.getChannel(channelId)
          const userIds = part.map(([id]) => id).filter((id) => !subscribers.has(id))
          userIds.sort((one, other) => one - other)
          const facts: Fact[] =
            userIds.length === 0 ? [] : [{ type: 'subscription/add', channels: [current], userIds }]
          return answering(undefined, facts)
        },
        () => part.map(([id, key]) => [key, id] as const),
      )
    }
    return wanted.length
  }
}

/** As an owner may set it: -1, or days from 1 on. */
function retentionHere(days: number | null | undefined): number | null {
  const isValid =
    days === -1 || (Number.isInteger(days) && Number(days) >= 1 && Number(days) <= RETENTION_DAYS_MAX)
  return isValid ? Number(days) : null
}
