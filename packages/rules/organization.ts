/**
 * The parts of an organization that the rules ask about. The server's state has these shapes as it is, so that no rule
 * copies anything there; the client makes them of what it registered. `Setting` is each side's own form of a group
 * setting, which no rule looks into.
 */

/** A user with a role. */
export interface Person {
  readonly id: number
  readonly role: number
}

/** A person or a bot. */
export interface Account extends Person {
  readonly isActive: boolean
  /** Null for a person. */
  readonly botType: number | null
  readonly botOwnerId: number | null
}

/** Tells who holds a permission. */
export interface Rights<Setting> {
  holds(user: Person, setting: Setting): boolean
}

/** Permissions in the whole organization. */
type OrganizationPermission =
  | 'canAddCustomEmoji'
  | 'canAddSubscribers'
  | 'canCreateBots'
  | 'canCreateGroups'
  | 'canCreateWriteOnlyBots'
  | 'canDeleteAnyMessage'
  | 'canDeleteOwnMessage'
  | 'canManageAllGroups'
  | 'canMentionManyUsers'
  | 'canMoveMessagesBetweenChannels'
  | 'canMoveMessagesBetweenTopics'
  | 'canResolveTopics'
  | 'directMessagePermission'

/** Seconds after the sending of a message in which it may still change; null for no limit. */
type TimeLimit = number | null

export interface Settings {
  readonly topicsPolicy: string
  readonly allowsEditing: boolean
  readonly contentEditLimitSeconds: TimeLimit
  readonly contentDeleteLimitSeconds: TimeLimit
  readonly topicMoveLimitSeconds: TimeLimit
  readonly channelMoveLimitSeconds: TimeLimit
}

export interface Organization<Setting> {
  readonly rights: Rights<Setting>
  readonly permissions: Readonly<Record<OrganizationPermission, Setting>>
  readonly settings: Settings
}

/** The id of all visitors, who read web-public channels without an account. No account has it: the first one gets 1. */
export const VISITOR_ID = 0

/** Whether a reader has no account. */
export function isVisitor({ id }: { readonly id: number }): boolean {
  return id === VISITOR_ID
}
