/** Channels and their folders. */

import { foldCase } from '../../packages/rules/fold-case.ts'
import { storeFolder, storeFolderChange, storeFolderOrder } from '../../db/organization/channel-folders.ts'
import { storeChannelChange, storeChannels, storeDefaultChannels } from '../../db/organization/channels.ts'
import { notifyChannelUpdates, notifyDefaults, notifyNewChannels } from '../audience/channels.ts'
import { storeList } from '../../db/organization/organization-lists.ts'
import { everyone } from '../audience/notifier.ts'
import { changeChannel } from '../domain/channels/change-channel.ts'
import type { EventOf } from '../domain/events.ts'
import type { ChannelFact, ChannelNotice } from '../domain/events/channels.ts'
import { arrayOf, BOOLEAN, INTEGER, record, STRING } from '../domain/json-schema.ts'
import { withEntries } from '../domain/organization/organization-lists.ts'
import { newChannelState } from '../state/channel-state.ts'
import {
  CHANNEL,
  CHANNEL_CHANGE_FIELDS,
  CHANNEL_CHANGE_OPTIONAL_FIELDS,
  viewChannel,
  viewChannelChange,
} from '../views/channel-view.ts'
import { CHANNEL_FOLDER, CHANNEL_FOLDER_CHANGE, viewFolder, viewFolderChange } from '../views/folder-view.ts'
import { CHANNEL_GROUP, viewChannelGroup } from '../views/organization-lists-view.ts'
import { audited, withoutHtml } from './audited.ts'
import { channelAtEvent } from './channel-at-event.ts'
import { type Entries, fact, notice } from './entry.ts'
import { shown, shownAs } from './view.ts'

const IDS = arrayOf(INTEGER)

const SHOWN = shownAs(
  'stream/create',
  'The user can see channels that they could not see before.',
  record({ streams: arrayOf(CHANNEL) }),
  ({ channels }: EventOf<'stream/create' | 'stream/reveal'>, context) => ({
    streams: channels.map((channel) =>
      viewChannel(channelAtEvent(channel, context), context.state, context.nowSeconds),
    ),
  }),
)

const UPDATED = shownAs(
  'stream/update',
  'A property of a channel changed.',
  record({ stream_id: INTEGER, name: STRING, ...CHANNEL_CHANGE_FIELDS }, CHANNEL_CHANGE_OPTIONAL_FIELDS),
  ({ channelId, name, change }: EventOf<'stream/update' | 'stream/update_shown'>, { state }) => ({
    stream_id: channelId,
    name,
    ...viewChannelChange(change, state.rights.activeUsers),
  }),
)

const DEFAULTS = shownAs(
  'default_streams',
  'The channels of new users changed.',
  record({ default_streams: IDS }),
  ({ channelIds }: EventOf<'default_streams' | 'default_streams/shown'>) => ({ default_streams: channelIds }),
)

const GROUPS = shownAs(
  'default_stream_groups',
  'The groups of default channels changed.',
  record({ default_stream_groups: arrayOf(CHANNEL_GROUP) }),
  ({ groups }: EventOf<'default_stream_groups' | 'default_stream_groups/shown'>) => ({
    default_stream_groups: groups.map(viewChannelGroup),
  }),
)

export const CHANNEL_EVENTS: Entries<ChannelFact | ChannelNotice> = {
  'stream/create': fact({
    audience: notifyNewChannels,
    apply(state, { channels }) {
      // Events of earlier releases do not say that there are previews.
      for (const channel of channels)
        state.placeChannel(newChannelState({ ...channel, hasLinkPreviews: channel.hasLinkPreviews ?? true }))
    },
    store: (writes, _, { channels }) => storeChannels(writes, channels),
    view: SHOWN,
    audit: audited(
      ({ channels }) => ({ channels: channels.map(({ id, name }) => ({ id, name })) }),
      record({ streams: arrayOf(record({ stream_id: INTEGER, name: STRING })) }),
      ({ channels }) => ({ streams: channels.map(({ id, name }) => ({ stream_id: id, name })) }),
    ),
  }),
  'stream/reveal': notice({ view: SHOWN }),
  'stream/delete': notice({
    view: shown(
      'The user can no longer see channels.',
      record({ stream_ids: IDS, streams: arrayOf(record({ stream_id: INTEGER })) }),
      ({ channelIds }) => ({
        stream_ids: channelIds,
        streams: channelIds.map((stream_id) => ({ stream_id })),
      }),
    ),
  }),
  'stream/update': fact({
    audience: notifyChannelUpdates,
    apply(state, { channelId, change }) {
      const channel = state.channelToChange(channelId)
      if (change.kind === 'name') state.channelIdsByName.delete(foldCase(channel.channel.name))
      channel.channel = changeChannel(channel.channel, change)
      state.placeChannel(channel)
      if (change.kind === 'archived') state.userVisibility.forget(channel.subscribers)
    },
    store: (writes, _, { channelId, change }) => storeChannelChange(writes, channelId, change),
    view: UPDATED,
    audit: audited(
      ({ channelId, change }) => ({
        channelId,
        change: change.kind === 'description' ? withoutHtml(change) : change,
      }),
      record(
        { stream_id: INTEGER, ...CHANNEL_CHANGE_FIELDS },
        { history_public_to_subscribers: BOOLEAN, is_web_public: BOOLEAN },
      ),
      ({ channelId, change }, activeUsers) => {
        const whole = change.kind === 'description' ? { ...change, renderedDescription: '' } : change
        const { rendered_description: _, ...view } = viewChannelChange(whole, activeUsers)
        return { stream_id: channelId, ...view }
      },
    ),
  }),
  'stream/update_shown': notice({ view: UPDATED }),
  default_streams: fact({
    audience: notifyDefaults,
    apply(state, { channelIds }) {
      state.defaultChannelIds = channelIds
    },
    store: (writes, _, { channelIds }) => storeDefaultChannels(writes, channelIds),
    view: DEFAULTS,
    audit: audited(
      ({ channelIds }) => ({ channelIds }),
      record({ default_streams: IDS }),
      ({ channelIds }) => ({ default_streams: channelIds }),
    ),
  }),
  'default_streams/shown': notice({ view: DEFAULTS }),
  default_stream_groups: fact({
    audience: notifyDefaults,
    apply(state, { groups }) {
      state.channelGroups = withEntries(state.channelGroups, groups)
    },
    store: (writes, _, { groups }) => storeList(writes, 'channelGroups', groups),
    view: GROUPS,
    audit: audited(
      ({ groups }) => ({ groups }),
      record({ default_stream_groups: arrayOf(CHANNEL_GROUP) }),
      ({ groups }) => ({ default_stream_groups: groups.map(viewChannelGroup) }),
    ),
  }),
  'default_stream_groups/shown': notice({ view: GROUPS }),
  'channel_folder/add': fact({
    audience: everyone,
    apply(state, { folder }) {
      state.folders = [...state.folders, folder]
    },
    store: (writes, _, { folder }) => storeFolder(writes, folder),
    view: shown(
      'A channel folder was created.',
      record({ channel_folder: CHANNEL_FOLDER }),
      ({ folder }, { state }) => {
        const order = state.folders.findIndex((one) => one.id === folder.id)
        return { channel_folder: viewFolder(folder, order) }
      },
    ),
    audit: audited(
      ({ folder: { name } }) => ({ name }),
      record({ name: STRING }),
      (part) => part,
    ),
  }),
  'channel_folder/update': fact({
    audience: everyone,
    apply(state, { folderId, changes }) {
      state.folders = state.folders.map((one) => (one.id === folderId ? { ...one, ...changes } : one))
    },
    store: (writes, _, { folderId, changes }) => storeFolderChange(writes, folderId, changes),
    view: shown(
      'A channel folder changed.',
      record({ channel_folder_id: INTEGER, data: CHANNEL_FOLDER_CHANGE }),
      ({ folderId, changes }) => ({ channel_folder_id: folderId, data: viewFolderChange(changes) }),
    ),
    audit: audited(
      ({ folderId, changes }) => ({ folderId, changes: withoutHtml(changes) }),
      record({ channel_folder_id: INTEGER }, { name: STRING, description: STRING, is_archived: BOOLEAN }),
      ({ folderId, changes: { name, description, isArchived } }) => ({
        channel_folder_id: folderId,
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(isArchived === undefined ? {} : { is_archived: isArchived }),
      }),
    ),
  }),
  'channel_folder/reorder': fact({
    audience: everyone,
    apply(state, { folderIds }) {
      state.folders = folderIds.map((id) => {
        const folder = state.folders.find((one) => one.id === id)
        if (!folder) throw new Error(`folder ${id} is not in the state`)
        return folder
      })
    },
    store: (writes, _, { folderIds }) => storeFolderOrder(writes, folderIds),
    view: shown('The order of the channel folders changed.', record({ order: IDS }), ({ folderIds }) => ({
      order: folderIds,
    })),
    audit: audited(
      ({ folderIds }) => ({ folderIds }),
      record({ order: IDS }),
      ({ folderIds }) => ({ order: folderIds }),
    ),
  }),
}
