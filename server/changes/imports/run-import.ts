/** `import PRODUCT FILE`: brings the history of another product over, or says what would come. */

import { setFlagsFromString } from 'node:v8'
import { findImported } from '../../../db/imports/imported-ids.ts'
import { firstOwner } from '../invitations/invite-by-operator.ts'
import { answering } from '../../decisions/decision.ts'
import type { Fact } from '../../domain/events.ts'
import type { ImportProduct } from '../../domain/organization/imports.ts'
import type { LocalWriter } from '../../actors/local-writer.ts'
import { type ImportWatch, watchSource } from './import-watch.ts'
import { checkChosen, type ChosenNames } from './channel-names.ts'
import { ImportedChannels } from './load-channels.ts'
import type { ImportFiling, ImportPlace, Loading } from './loading.ts'
import { loadAvatars } from './load-avatars.ts'
import { loadEmoji } from './load-emoji.ts'
import { loadFiles } from './load-files.ts'
import { loadFolders } from './load-folders.ts'
import { loadGroups } from './load-groups.ts'
import { MessageLoader } from './load-messages.ts'
import { loadProfiles } from './load-profiles.ts'
import { loadMarks } from './load-marks.ts'
import { People } from './load-users.ts'
import { openDiscord } from './discord/open-discord.ts'
import { openMattermost } from './mattermost/open-mattermost.ts'
import type { ForeignSource } from './records.ts'
import { Report } from './report.ts'
import { loadPins } from './load-pins.ts'
import { loadSubmessages } from './load-submessages.ts'
import { loadOwn } from './own/load-own.ts'
import { loadOrganization } from './own/load-organization.ts'
import { loadUnread, noteBegin } from './own/load-unread.ts'
import { openParley } from './parley/open-parley.ts'
import { openRocketChat } from './rocket-chat/open-rocket-chat.ts'
import { openSlack } from './slack/open-slack.ts'
import { openZulip } from './zulip/open-zulip.ts'
import { ImportTarget } from './target.ts'

const PRODUCTS = {
  slack: openSlack,
  mattermost: openMattermost,
  'rocket-chat': openRocketChat,
  discord: openDiscord,
  zulip: openZulip,
  parley: openParley,
} as const satisfies Readonly<Record<ImportProduct, unknown>>

/** The options of an import. */
export interface ImportRequest {
  readonly product: ImportProduct
  readonly path: string
  /** Whether files are fetched that the archive only links. */
  readonly isFetching: boolean
  /** Whether new accounts get the roles that they had there. */
  readonly isKeepingRoles: boolean
  /** Whether the organization here gets the settings of that one, of an export of Parley. */
  readonly isKeepingSettings?: boolean
  /** Names of channels here. */
  readonly chosenNames?: ChosenNames
}

/** The end of an import, or of a dry run. */
export interface ImportResult<More> {
  readonly head: { readonly product: ImportProduct; readonly seconds: number } & More
  readonly report: Report
}

/** The surroundings of an import. */
export interface ImportSurroundings {
  /** The address under which people reach the server. */
  readonly publicUrl: string
  readonly watch: ImportWatch
  readonly filing?: ImportFiling
}

/** Imports an archive; rejects with an `ImportError` if it cannot be read. */
export async function runImport(
  request: ImportRequest,
  writer: LocalWriter,
  { publicUrl, watch, filing }: ImportSurroundings,
): Promise<ImportResult<object>> {
  const target = new ImportTarget(writer, publicUrl)
  firstOwner(target.state) // Refuses before anything is read if there is no organization.
  return withSource(request, watch, async (source, report, progress) => {
    await checkChosen(source, request.chosenNames, target)
    const people = new People(target, source, report)
    const loading: Loading = { target, source, report, people, groups: new Map(), filing }
    const begunId = await noteBegin(loading)
    progress.step = 'people'
    await people.load(request.isKeepingRoles)
    await loadProfiles(loading)
    await loadGroups(loading)
    progress.step = 'pictures of people'
    await loadAvatars(loading)
    progress.step = 'custom emoji'
    await loadEmoji(loading)
    progress.step = 'channels'
    const channels = new ImportedChannels(loading, await loadFolders(loading), request.chosenNames)
    await channels.load()
    if (request.isKeepingSettings) await loadOrganization(loading, channels)
    progress.step = 'files'
    channels.files = await loadFiles(loading)
    const places = findPlaces(source, report, channels)
    progress.step = 'messages'
    const loader = new MessageLoader(loading, channels, places, (count) => {
      progress.rows += count
    })
    await loader.load()
    progress.step = 'pins, stars and archived channels'
    await loadPins(loading, channels, loader.pinned)
    await loadSubmessages(loading, loader.widgets)
    await loadMarks(loading, loader.marked)
    await loadOwn(loading, channels)
    await loadUnread(loading, begunId)
    await archive(loading, channels)
    return {}
  })
}

/**
 * Percent by which the heap may grow over what is in use before it is collected. By default V8 lets it double and more: then
 * the import of `npm run bench -- W22` took 254 MiB at most, and now 168.
 */
const HEAP_GROWING_PERCENT = 50

/** Opens the archive, and completes the report. From then on the heap of this process is collected earlier. */
export async function withSource<More extends object>(
  { product, path }: ImportRequest,
  progress: ImportWatch,
  act: (source: ForeignSource, report: Report, progress: ImportWatch) => Promise<More>,
): Promise<ImportResult<More>> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`)
  const report = new Report()
  const startMs = performance.now()
  const source = await PRODUCTS[product](path, report.lose)
  try {
    const more = await act(watchSource(source, progress), report, progress)
    const seconds = Math.round((performance.now() - startMs) / 100) / 10
    return { head: { product, ...more, seconds }, report }
  } finally {
    await source.files.close()
  }
}

/** The places of messages by the ids of the product. */
function findPlaces({ lists }: ForeignSource, report: Report, channels: ImportedChannels) {
  const places = new Map<string, ImportPlace>()
  for (const { id, label } of lists.channels.values()) {
    const channelId = channels.find(id)
    if (channelId !== undefined) places.set(id, { kind: 'channel', channelId, label })
  }
  for (const { id, label, members } of lists.conversations.values()) {
    report.place(label).kind = 'direct'
    report.place(label).members = members.length
    places.set(id, { kind: 'direct', label, members })
  }
  return places
}

/** Archives channels in the end: nothing is written to an archived one. Each once, since an owner may open it again. */
async function archive({ target, report }: Loading, { archived }: ImportedChannels): Promise<void> {
  const done = await findImported(
    target.sql,
    archived.map(({ key }) => key),
  )
  for (const { id: channelId, key } of archived) {
    if (done.has(key)) continue
    report.channels.archived++
    await target.change(
      ({ state }) => {
        const { name, isArchived } = state.getChannel(channelId).channel
        const change = { kind: 'archived', isArchived: true } as const
        const facts: Fact[] = isArchived ? [] : [{ type: 'stream/update', channelId, name, change }]
        return answering(undefined, facts)
      },
      () => [[key, channelId]],
    )
  }
}
