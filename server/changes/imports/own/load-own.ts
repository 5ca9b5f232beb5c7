/** Brings over what people keep for themselves, each thing once, many in one change. */

import { findImported, importKey, type ImportKey } from '../../../../db/imports/imported-ids.ts'
import { TooManyScheduledError } from '../../../../db/messages/scheduled-messages.ts'
import { FullBotStorageError } from '../../../../db/organization/bot-storage.ts'
import { TooManyDraftsError } from '../../../../db/personal/drafts.ts'
import { DuplicateViewError, TooManyViewsError } from '../../../../db/personal/navigation-views.ts'
import { TooManySnippetsError } from '../../../../db/personal/saved-snippets.ts'
import { answering } from '../../../decisions/decision.ts'
import type { ServerScope } from '../../../decisions/scope.ts'
import type { Fact } from '../../../domain/events.ts'
import type { ChannelId, UserId } from '../../../domain/ids.ts'
import { ApiError, fail } from '../../../errors/api-error.ts'
import type { ImportedChannels } from '../load-channels.ts'
import type { Loading } from '../loading.ts'
import { botFacts, storeBotEntry } from './bots.ts'
import { channelSettingFacts, settingFacts, statusFacts, topicFacts } from './choices.ts'
import { draftFacts, muteFacts, snippetFacts, viewFacts, wordFacts } from './lists.ts'
import type { ForeignOwn } from './records.ts'
import { isToCome, reminderFact, scheduledFact } from './waiting.ts'

/** Things of one change, which holds the log meanwhile. */
const BATCH = 100
/** The refusals of one thing; the others of its batch come nevertheless. */
const REFUSALS = [
  ApiError,
  TooManyDraftsError,
  TooManySnippetsError,
  TooManyViewsError,
  DuplicateViewError,
  TooManyScheduledError,
  FullBotStorageError,
]

/** A thing of somebody who is here. */
interface Held {
  readonly own: ForeignOwn
  readonly userId: UserId
  readonly key: ImportKey
}

/** The facts of a thing, as of a state. */
type Decide = (scope: ServerScope) => readonly Fact[]

/** Brings over the things that no earlier run has brought. */
export async function loadOwn(loading: Loading, channels: ImportedChannels): Promise<void> {
  const { source, people } = loading
  let batch: Held[] = []
  for await (const own of source.own?.() ?? []) {
    const userId = people.find(own.user)
    if (userId === undefined) {
      lose(loading, own, 'somebody who did not come')
      continue
    }
    const key = importKey(source.origin, 'own', JSON.stringify(own))
    batch.push({ own, userId, key })
    if (batch.length < BATCH) continue
    await loadBatch(loading, channels, batch)
    batch = []
  }
  await loadBatch(loading, channels, batch)
}

async function loadBatch(loading: Loading, channels: ImportedChannels, batch: readonly Held[]) {
  const { target } = loading
  const done = await findImported(
    target.sql,
    batch.map(({ key }) => key),
  )
  const fresh = [...new Map(batch.map((one) => [one.key, one])).values()].filter(({ key }) => !done.has(key))
  const ready: (readonly [Held, Decide])[] = []
  for (const one of fresh) {
    try {
      ready.push([one, await prepare(loading, channels, one)])
    } catch (error) {
      loseRefused(loading, one, error)
    }
  }
  if (ready.length === 0) return
  try {
    await commit(loading, ready)
  } catch (error) {
    if (!isRefusal(error)) throw error
    for (const one of ready)
      await commit(loading, [one]).catch((reason) => loseRefused(loading, one[0], reason))
  }
}

function commit({ target }: Loading, ready: readonly (readonly [Held, Decide])[]): Promise<void> {
  return target.change(
    (scope) =>
      answering(
        undefined,
        ready.flatMap(([, decide]) => decide(scope)),
      ),
    () => ready.map(([{ key }]) => [key, 0] as const),
  )
}

/** The part of the work that waits; the rest is decided as of the state at the commit. */
async function prepare(loading: Loading, channels: ImportedChannels, { own, userId }: Held): Promise<Decide> {
  const { source, target, people, report } = loading
  const names = { people, channels }
  const textHere = (text: string) => source.translate({ place: '', text }, channels.names)
  switch (own.kind) {
    case 'settings':
      return (scope) => settingFacts(scope, userId, own)
    case 'status':
      return (scope) => statusFacts(scope, userId, own)
    case 'channel settings': {
      const channelId = channelHere(channels, own.channel)
      return (scope) => channelSettingFacts(scope, userId, own, channelId)
    }
    case 'topic': {
      const channelId = channelHere(channels, own.channel)
      return (scope) => topicFacts(scope, userId, own, channelId)
    }
    case 'bot channels':
      return (scope) => botFacts(scope, userId, own, channels)
    case 'bot storage':
      // No event carries these; a second run writes the same again.
      await storeBotEntry(target.sql, { state: target.state, userId }, own)
      return () => []
    case 'alert words':
      return (scope) => wordFacts(scope, userId, own)
    case 'muted people':
      return (scope) => muteFacts(scope, userId, own, names)
    case 'draft':
      return (scope) => draftFacts(scope, userId, own, { text: textHere(own.text), names })
    case 'snippet':
      return (scope) => snippetFacts(scope, userId, own, textHere(own.text))
    case 'view':
      return (scope) => viewFacts(scope, userId, own, names)
    case 'scheduled message': {
      const text = textHere(own.text)
      if (isToCome(own.deliverAt, target.now) && !own.hasFailed) {
        const fact = await scheduledFact(loading, userId, own, { text, names })
        return () => [fact]
      }
      // Nobody wants to find a message sent that was due elsewhere.
      report.lose({
        place: undefined,
        reason: 'nothing: a scheduled message became a draft',
        example: own.user,
      })
      return (scope) =>
        draftFacts(scope, userId, { target: own.target, editedAt: undefined }, { text, names })
    }
    case 'reminder': {
      const fact = await reminderFact(loading, userId, own)
      return () => [fact]
    }
  }
}

function channelHere(channels: ImportedChannels, there: string): ChannelId {
  const channelId = channels.find(there)
  if (channelId === undefined) throw fail('CHANNEL_UNKNOWN')
  return channelId
}

const isRefusal = (error: unknown) => REFUSALS.some((kind) => error instanceof kind)

function loseRefused(loading: Loading, { own }: Held, error: unknown): void {
  if (!isRefusal(error)) throw error
  lose(loading, own, (error as Error).message)
}

/** Without the texts: the report is read by more people than their authors. */
function lose({ report }: Loading, { kind, user }: ForeignOwn, reason: string): void {
  report.lose({ place: undefined, reason: `something personal: ${kind}`, example: `${user}: ${reason}` })
}
