/** A user's own data, for that user alone: settings, topics, drafts and others. */

import type { DraftContent } from '../personal/drafts.ts'
import type { UserTopic } from '../entities.ts'
import type { DraftId, SnippetId, UserId } from '../ids.ts'
import type { MutedUser } from '../personal/muted-users.ts'
import type { NavigationView, NavigationViewChange } from '../personal/navigation-views.ts'
import type { Snippet, SnippetContent } from '../personal/snippets.ts'
import type { UserSettingChange } from '../users/user-settings.ts'
import type { ClientKind } from './client-kind.ts'

export type PersonalFact =
  | { readonly type: 'user_topic'; readonly userId: UserId; readonly userTopic: UserTopic }
  | { readonly type: 'user_settings/update'; readonly userId: UserId; readonly change: UserSettingChange }
  | { readonly type: 'drafts/add'; readonly userId: UserId; readonly draft: DraftContent }
  | {
      readonly type: 'drafts/update'
      readonly userId: UserId
      readonly draftId: DraftId
      readonly draft: DraftContent
    }
  | { readonly type: 'drafts/remove'; readonly userId: UserId; readonly draftId: DraftId }
  | { readonly type: 'saved_snippets/add'; readonly userId: UserId; readonly snippet: SnippetContent }
  /** The snippet after the change, but with the id of the change before it. */
  | { readonly type: 'saved_snippets/update'; readonly userId: UserId; readonly snippet: Snippet }
  | { readonly type: 'saved_snippets/remove'; readonly userId: UserId; readonly snippetId: SnippetId }
  | { readonly type: 'navigation_view/add'; readonly userId: UserId; readonly view: NavigationView }
  | {
      readonly type: 'navigation_view/update'
      readonly userId: UserId
      readonly fragment: string
      readonly changes: NavigationViewChange
    }
  | { readonly type: 'navigation_view/remove'; readonly userId: UserId; readonly fragment: string }
  /** A user muted or unmuted another: all muted users after it, the latest last. */
  | {
      readonly type: 'muted_users'
      readonly userId: UserId
      readonly targetId: UserId
      readonly mutedUsers: readonly MutedUser[]
    }
  /** All alert words of a user after the change. */
  | { readonly type: 'alert_words'; readonly userId: UserId; readonly words: readonly string[] }

export type PersonalNotice =
  /** For older clients: all muted topics with their channels' names. */
  | {
      readonly type: 'muted_topics'
      readonly mutedTopics: readonly (readonly [channelName: string, topic: string, updatedAt: number])[]
    }
  /** For clients that do not know settings as one object. */
  | {
      readonly type: 'update_display_settings' | 'update_global_notifications'
      readonly userId: UserId
      readonly change: UserSettingChange
      readonly clients: ClientKind
    }
