/** Shows in the messages of calls who is in them, as their providers answer. */

import type { Sql } from '../../../db/connection/connect.ts'
import type { NextDue } from '../../../db/due-work.ts'
import {
  claimCall,
  findNextCall,
  forgetCall,
  settleCall,
  type WatchedCall,
} from '../../../db/messages/call-messages.ts'
import { readMessage, type SingleMessage } from '../../../db/messages/single-message.ts'
import { StaleMessageError } from '../../../db/messages/stale-message.ts'
import { findFlagHolders } from '../../../db/unread/flag-holders.ts'
import type { PeopleInCall } from '../../../server/changes/calls/people-in-call.ts'
import { renderNotice } from '../../../server/changes/messages/compose-message.ts'
import { readReceiversOfClosed } from '../../../server/changes/messages/find-message.ts'
import type { Sender } from '../../../server/changes/scheduled-messages/open-sender.ts'
import { submitForServer } from '../../../server/changes/submit.ts'
import { decideRendering } from '../../../server/decisions/messages/render-anew.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import {
  type CallAtProvider,
  callParagraphIn,
  isInPlace,
  replaceCallParagraph,
} from '../../../server/domain/messages/call-links.ts'
import type { OpenSender } from '../share-sender.ts'
import { wordCall } from './word-call.ts'

/** The server reads messages as no user. */
const NOBODY = 0 as UserId
/** Seconds between looks while people are there, or may come. */
const LOOK_SECONDS = 5
/** Looks that fail one after another until the message says nothing of the call any more; the seconds between grow. */
const FAILURES_MAX = 5

/** Asks each provider that is configured who is in a room. */
export type CallProviders = Partial<
  Record<CallAtProvider['provider'], (room: string) => Promise<PeopleInCall>>
>

/** The dependencies of the looks. */
export interface CallWork {
  readonly sql: Sql
  readonly openSender: OpenSender
  readonly providers: CallProviders
  readonly onError: (error: unknown) => void
}

/** Looks at one call after another until none is due; returns when the next one is. Concurrent runs are safe. */
export async function lookAtCalls(work: CallWork): Promise<NextDue | undefined> {
  const { sql, openSender } = work
  for (;;) {
    const call = await claimCall(sql)
    if (!call) return findNextCall(sql)
    await look(work, await openSender(), call)
  }
}

/** Looks at a call, and has it looked at again if somebody is there or may come. */
async function look(work: CallWork, sender: Sender, call: WatchedCall): Promise<void> {
  const { sql, providers, onError } = work
  let people: PeopleInCall | undefined
  try {
    people = await providers[call.provider]?.(call.room)
  } catch (error) {
    if (call.tries < FAILURES_MAX) {
      const again = { seconds: LOOK_SECONDS * call.tries, hasFailed: true }
      return settleCall(sql, call, again)
    }
    onError(error)
  }
  let seconds = secondsToNext(call, people)
  try {
    await sender.catchUp()
    if ((await show(sender, call, people)) === 'archived') seconds = undefined
  } catch (error) {
    // The message was moved or got previews meanwhile, and is read again; one that was edited has no such row any more.
    if (!(error instanceof StaleMessageError)) throw error
    seconds = LOOK_SECONDS
  }
  await settleCall(sql, call, { seconds, hasFailed: false })
}

/** Seconds to the next look; undefined for none before somebody follows the link. */
function secondsToNext({ isFresh }: WatchedCall, people: PeopleInCall | undefined): number | undefined {
  if (!people) return undefined
  const isBusy = people.userIds.length + people.others > 0
  return isBusy || isFresh ? LOOK_SECONDS : undefined
}

/**
 * Changes the message if others are there than it says, unless its channel is archived. Rejects with a `StaleMessageError`
 * if it has changed.
 */
async function show(
  sender: Sender,
  call: WatchedCall,
  given: PeopleInCall | undefined,
): Promise<'archived' | undefined> {
  const { services } = sender
  const { sql, state } = services
  const { messageId, ownLength, id: callId } = call
  const found = await readMessage(sql, messageId, NOBODY)
  if (!found || messageId > state.appliedId) return undefined
  const { rendered: before, destination } = found.message
  if (destination.kind !== 'direct' && state.getChannel(destination.channelId).channel.isArchived)
    return 'archived'
  const isMoved = !isInPlace(call, destination)
  const people = isMoved ? undefined : given
  const wasShown = callParagraphIn(before, ownLength) !== ''
  const text = people ? wordCall(state, destination, people, wasShown) : ''
  const readers =
    destination.kind === 'direct'
      ? ({ kind: 'direct', userIds: destination.userIds } as const)
      : ({ kind: 'channel', channelId: destination.channelId } as const)
  const rendered = replaceCallParagraph(
    before,
    ownLength,
    text === '' ? '' : await renderNotice(text, readers, services),
  )
  if (rendered !== before) {
    const change = await prepare(services, found)
    await submitForServer(services, (scope) =>
      decideRendering(scope, { ...change, rendered, row: { callId } }),
    )
    await sender.tell()
  }
  if (isMoved) await forgetCall(sql, call)
  return undefined
}

async function prepare(services: Sender['services'], found: SingleMessage) {
  return {
    found,
    pictureIds: [],
    holders: await findFlagHolders(services.sql, found.message.id),
    receiverIds: await readReceiversOfClosed(services, found.message),
  }
}
