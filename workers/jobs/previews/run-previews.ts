/** Gives messages the previews of their links. */

import {
  type ClaimedLinks,
  claimWaiting,
  findNextWaiting,
  findPreviews,
  inOrder,
  settleWaiting,
  storePreview,
} from '../../../db/messages/link-previews.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import type { NextDue } from '../../../db/due-work.ts'
import { noteCall } from '../../../db/messages/call-messages.ts'
import { readMessage } from '../../../db/messages/single-message.ts'
import { StaleMessageError } from '../../../db/messages/stale-message.ts'
import { findFlagHolders } from '../../../db/unread/flag-holders.ts'
import { readCallLink } from '../../../server/changes/calls/read-call-link.ts'
import { readReceiversOfClosed } from '../../../server/changes/messages/find-message.ts'
import { isShown } from '../../../server/changes/messages/known-previews.ts'
import type { Sender } from '../../../server/changes/scheduled-messages/open-sender.ts'
import { submitForServer } from '../../../server/changes/submit.ts'
import { decideRendering } from '../../../server/decisions/messages/render-anew.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { callParagraphIn, isCallLink, isInPlace } from '../../../server/domain/messages/call-links.ts'
import {
  addPreviews,
  type LinkPreview,
  picturesOf,
  PREVIEWS_MAX,
  type PreviewedLink,
} from '../../../server/domain/messages/link-previews.ts'
import type { OpenSender } from '../share-sender.ts'
import { fetchPreview, type PreviewSources } from './fetch-preview.ts'
import type { PreviewFigures } from './preview-figures.ts'

/** The server reads messages as no user. */
const NOBODY = 0 as UserId
/** Tries of a message that was moved meanwhile. */
const TRIES_MAX = 3

/** The dependencies of previews. */
export interface PreviewWork {
  readonly sql: Sql
  readonly openSender: OpenSender
  readonly sources: PreviewSources
  readonly figures: PreviewFigures
  /** Addresses that this process fetches now: messages with the same one wait for it. */
  readonly underWay: Map<string, Promise<LinkPreview | null>>
}

/** Previews messages one after another until none is due; returns when the next one is. Concurrent runs are safe. */
export async function runPreviews(work: PreviewWork): Promise<NextDue | undefined> {
  const { sql, openSender } = work
  for (;;) {
    const claimed = await claimWaiting(sql)
    if (!claimed) return findNextWaiting(sql)
    const sender = await openSender()
    await sender.catchUp()
    await noteCallOf(sender, claimed)
    if (sender.services.state.settings.inlineUrlEmbedPreview) await previewMessage(work, sender, claimed)
    // Nothing is left of it if there are previews, or the message was deleted or edited: then it waits anew.
    await settleWaiting(sql, claimed)
  }
}

/** Has workers look who is in the first call that the links have; a call of another channel tells its readers only. */
async function noteCallOf({ services: { sql } }: Sender, claimed: ClaimedLinks): Promise<void> {
  for (const url of claimed.urls.filter(isCallLink)) {
    const call = await readCallLink(sql, url)
    const found = call && (await readMessage(sql, claimed.messageId, NOBODY))
    if (!call || !found || !isInPlace(call, found.message.destination)) continue
    return noteCall(sql, claimed, call)
  }
}

async function previewMessage(work: PreviewWork, sender: Sender, claimed: ClaimedLinks): Promise<void> {
  const urls = claimed.urls.filter((url) => !isCallLink(url)).slice(0, PREVIEWS_MAX)
  if (urls.length === 0) return
  const found = await Promise.all(
    urls.map(async (url) => [url, await findOrFetchOnce(work, sender, url)] as const),
  )
  const known = new Map(found)
  for (let tries = 1; ; tries++) {
    try {
      await sender.catchUp()
      if (await attach(sender, claimed, inOrder(urls, known))) work.figures.attached++
      return await sender.tell()
    } catch (error) {
      // A message that was moved meanwhile is read again.
      if (!(error instanceof StaleMessageError)) throw error
      if (tries === TRIES_MAX) return
    }
  }
}

/** Whether the message gets previews; rejects with a `StaleMessageError` if it has changed. */
async function attach(
  { services }: Sender,
  { messageId, id: waitingId, ownLength }: ClaimedLinks,
  links: readonly PreviewedLink[],
): Promise<boolean> {
  const found = await readMessage(services.sql, messageId, NOBODY)
  if (!found || messageId > services.state.appliedId) return false
  const { destination } = found.message
  const channelId = destination.kind === 'channel' ? destination.channelId : null
  const shown = links.filter(({ preview }) => isShown(preview, services.state, channelId))
  if (shown.length === 0) return false
  const { rendered: before } = found.message
  const rendered = addPreviews(before.slice(0, ownLength) + callParagraphIn(before, ownLength), shown)
  if (rendered === before) return false
  const attached = {
    found,
    rendered,
    pictureIds: picturesOf(shown),
    row: { waitingId },
    holders: await findFlagHolders(services.sql, messageId),
    receiverIds: await readReceiversOfClosed(services, found.message),
  }
  await submitForServer(services, (scope) => decideRendering(scope, attached))
  return true
}

/** The preview of an address, found or fetched once for all who ask meanwhile; null for none. */
function findOrFetchOnce(work: PreviewWork, sender: Sender, url: string): Promise<LinkPreview | null> {
  const { underWay } = work
  const coming = underWay.get(url) ?? findOrFetch(work, sender, url).finally(() => underWay.delete(url))
  underWay.set(url, coming)
  return coming
}

/** The look is part of what others wait for: between it and the fetch, another one could store the same address. */
async function findOrFetch(work: PreviewWork, sender: Sender, url: string): Promise<LinkPreview | null> {
  const known = (await findPreviews(work.sql, [url])).get(url)
  if (known === undefined) return fetchAndStore(work, sender, url)
  work.figures.known++
  return known
}

async function fetchAndStore(
  { sql, sources, figures }: PreviewWork,
  { services: { state } }: Sender,
  url: string,
): Promise<LinkPreview | null> {
  const startMs = performance.now()
  // The reasons are as many as there are servers, and none is ours to mend.
  const preview =
    (await fetchPreview(url, sources, state.settings.inlineImagePreview).catch(() => undefined)) ?? null
  figures.fetchSeconds.observeSince(startMs)
  if (!preview) figures.failed++
  else if (preview.kind === 'page') figures.pages++
  else figures.pictures++
  await storePreview(sql, url, preview)
  return preview
}
