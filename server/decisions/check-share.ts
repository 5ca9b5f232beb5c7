/** Limits each user's share of a common limit. */

import type { CustomEmoji } from '../domain/organization/custom-emoji.ts'
import {
  CHANNEL_SHARE,
  EMOJI_SHARE,
  findShareLimit,
  GROUP_SHARE,
  type SharedItem,
} from '../domain/channels/shares.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Scope } from './scope.ts'

const SHARES = { channels: CHANNEL_SHARE, groups: GROUP_SHARE, emoji: EMOJI_SHARE } as const

/** Throws if the caller may not add that many more. */
export function checkShare(
  { state, caller, fail }: Pick<Scope<'SHARE_SPENT'>, 'state' | 'caller' | 'fail'>,
  kind: keyof typeof SHARES,
  addedCount: number,
): void {
  if (addedCount === 0) return
  const share = SHARES[kind]
  const items = listItems(state, kind)
  const end = findShareLimit(share, { items, user: caller, addedCount, getUser: (id) => state.getUser(id) })
  if (end) throw fail('SHARE_SPENT', { ...end, items: share.items })
}

function* listItems(state: OrganizationState, kind: keyof typeof SHARES): Generator<SharedItem> {
  switch (kind) {
    case 'channels':
      for (const { channel } of state.channels.values())
        yield { creatorId: channel.creatorId, isInUse: !channel.isArchived }
      return
    case 'groups':
      for (const { group } of state.groups.groups.values())
        yield { creatorId: group.creatorId, isInUse: !group.isDeactivated }
      return
    case 'emoji':
      yield* state.emoji.map(
        ({ authorId, isDeactivated }: CustomEmoji): SharedItem => ({
          creatorId: authorId,
          isInUse: !isDeactivated,
        }),
      )
  }
}
