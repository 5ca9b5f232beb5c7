/**
 * The parts of an organization that the rules ask about. The server's state has these shapes as it is, so that no rule
 * copies anything there; the client makes them of what it registered.
 */

/** A group setting in each side's own form. No rule looks into it, and nobody holds an undefined one. */
export type Setting = number | object | undefined

/** A user with a role. */
export interface Person {
  readonly id: number
  readonly role: number
}

/** A person or a bot. */
export interface Account extends Person {
  /** Null for a person. */
  readonly botType: number | null
  readonly botOwnerId: number | null
}

/** Tells who holds a permission. */
export interface Rights {
  holds(user: Person, setting: Setting): boolean
}

/** Whether a user holds one of some permissions, such as one of the organization and its namesake of a channel. */
export function holdsAny(user: Person, rights: Rights, ...settings: readonly Setting[]): boolean {
  return settings.some((setting) => setting !== undefined && rights.holds(user, setting))
}

/** The holders of permissions, by name. */
export type Permissions<Name extends string> = Readonly<Record<Name, Setting>>

export interface Organization {
  readonly rights: Rights
  readonly permissions: Permissions<
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
  >
}

/** The id of all visitors, who read web-public channels without an account. No account has it: the first one gets 1. */
export const VISITOR_ID = 0

/** Whether a reader has no account. */
export function isVisitor({ id }: { readonly id: number }): boolean {
  return id === VISITOR_ID
}
