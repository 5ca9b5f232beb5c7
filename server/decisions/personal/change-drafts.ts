/** Changes of the caller's drafts. */

import type { DraftContent, DraftTarget } from '../../domain/personal/drafts.ts'
import type { ChannelId, DraftId, UserId } from '../../domain/ids.ts'
import { DRAFTS_MAX } from '../../domain/limits.ts'
import { parseTopic } from '../../domain/messages/topics.ts'
import { type Decision, done } from '../decision.ts'
import { ownFact } from '../own.ts'
import type { Scope } from '../scope.ts'

/** The place of a draft; its ids may be unknown. */
export type GivenDraftTarget =
  | { readonly kind: 'unknown' }
  /** Valid with exactly one channel. */
  | { readonly kind: 'channel'; readonly channelIds: readonly ChannelId[]; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly UserId[] }

/** A draft, as a client sends it. */
export interface GivenDraft extends Pick<DraftContent, 'content'> {
  readonly target: GivenDraftTarget
  /** UNIX seconds; now if undefined. */
  readonly editedAt: number | undefined
}

/** How removing a draft can fail. */
export const DRAFT_REMOVAL_ERRORS = ['DRAFTS_DISABLED'] as const
/** How a draft can be invalid. */
export const DRAFT_ERRORS = [
  ...DRAFT_REMOVAL_ERRORS,
  'DRAFT_CHANNEL_COUNT',
  'CHANNEL_UNKNOWN',
  'RECIPIENT_ID_UNKNOWN',
  'MESSAGE_EMPTY',
] as const
/** How adding drafts can fail. */
export const NEW_DRAFT_ERRORS = [...DRAFT_ERRORS, 'TOO_MANY_DRAFTS'] as const
type DraftScope = Scope<(typeof DRAFT_ERRORS)[number]>

/** New drafts. */
export interface NewDraftsRequest {
  readonly drafts: readonly GivenDraft[]
  /** The number of drafts that the caller had a moment ago. */
  readonly heldCount: number
}

/** Adds drafts, or fails without any change; answers their ids in the same order. */
export function decideNewDrafts(
  scope: Scope<(typeof NEW_DRAFT_ERRORS)[number]>,
  { drafts, heldCount }: NewDraftsRequest,
): Decision<readonly number[]> {
  checkDraftsEnabled(scope)
  // The table checks it again, under the lock: refusing here costs others nothing.
  if (heldCount + drafts.length > DRAFTS_MAX) throw scope.fail('TOO_MANY_DRAFTS', { countMax: DRAFTS_MAX })
  const events = drafts.map((given) =>
    ownFact(scope, { type: 'drafts/add', draft: checkDraft(scope, given) }),
  )
  return { events, reply: (firstId) => events.map((_, index) => firstId + index) }
}

/** Replaces a draft. */
export function decideDraftUpdate(
  scope: DraftScope,
  { draftId, draft: given }: { readonly draftId: DraftId; readonly draft: GivenDraft },
): Decision<void> {
  checkDraftsEnabled(scope)
  return done([ownFact(scope, { type: 'drafts/update', draftId, draft: checkDraft(scope, given) })])
}

/** Removes a draft. */
export function decideDraftRemoval(
  scope: Scope<(typeof DRAFT_REMOVAL_ERRORS)[number]>,
  { draftId }: { readonly draftId: DraftId },
): Decision<void> {
  checkDraftsEnabled(scope)
  return done([ownFact(scope, { type: 'drafts/remove', draftId })])
}

/** Throws if the caller has turned off the synchronization of drafts. */
export function checkDraftsEnabled({
  state,
  caller,
  fail,
}: Pick<Scope<'DRAFTS_DISABLED'>, 'state' | 'caller' | 'fail'>): void {
  if (!state.settingsOf(caller.id).enableDraftsSynchronization) throw fail('DRAFTS_DISABLED')
}

/** The draft, if the caller may see its channel or its users. */
function checkDraft(scope: DraftScope, { target, content, editedAt }: GivenDraft): DraftContent {
  if (content.trim() === '') throw scope.fail('MESSAGE_EMPTY')
  return { target: checkTarget(scope, target), content, editedAt: editedAt ?? scope.now }
}

function checkTarget({ state, caller, fail }: DraftScope, target: GivenDraftTarget): DraftTarget {
  switch (target.kind) {
    case 'unknown':
      return target
    case 'channel': {
      const [channelId, ...others] = target.channelIds
      if (channelId === undefined || others.length > 0) throw fail('DRAFT_CHANNEL_COUNT')
      if (!state.findReadableChannel(caller, channelId)) throw fail('CHANNEL_UNKNOWN')
      return { kind: 'channel', channelId, topic: parseTopic(target.topic) }
    }
    case 'direct': {
      const userIds = [...new Set(target.userIds)]
      for (const id of userIds) {
        if (!state.findVisibleUser(caller, id)) throw fail('RECIPIENT_ID_UNKNOWN', { id })
      }
      return { kind: 'direct', userIds }
    }
  }
}
