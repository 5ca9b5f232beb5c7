/**
 * The rules for actions on a channel, written only from the documents of the API, to compare with those of
 * the server.
 */

/** The actors. The account of the newcomer is younger than the waiting period. */
export const ACTORS = ['owner', 'administrator', 'moderator', 'member', 'newcomer', 'guest', 'bot'] as const
export type Actor = (typeof ACTORS)[number]

/** The holder of a permission: nobody, a role group, the actor by name, or a nested group. */
export type Holder =
  | 'nobody'
  | 'administrators'
  | 'moderators'
  | 'fullmembers'
  | 'members'
  | 'everyone'
  | 'self'
  | 'crew'

/** Members of the subgroup of `crew`. */
export const CREW: readonly Actor[] = ['member', 'newcomer', 'guest', 'bot']

/** From more to fewer rights. */
const RANKS: readonly (readonly Actor[])[] = [
  ['owner', 'administrator'],
  ['moderator'],
  ['member', 'bot'],
  ['newcomer'],
  ['guest'],
]
const RANKS_HELD = { administrators: 1, moderators: 2, fullmembers: 3, members: 4, everyone: 5 } as const

/** Whether an actor is among the holders. */
export function holds(actor: Actor, holder: Holder): boolean {
  switch (holder) {
    case 'nobody':
      return false
    case 'self':
      return true
    case 'crew':
      return CREW.includes(actor)
    default:
      return RANKS.slice(0, RANKS_HELD[holder]).flat().includes(actor)
  }
}

/** The permissions of a channel that matter here. */
export const GRANTS = ['administer', 'add', 'subscribe', 'remove', 'send'] as const
export type Grant = (typeof GRANTS)[number]

/** The properties of a channel. */
export interface ChannelKind {
  readonly privacy: 'public' | 'web-public' | 'private with shared history' | 'private with protected history'
  readonly isArchived: boolean
  readonly grants: Readonly<Record<Grant, Holder>>
}

/** The defaults: administrators remove, everyone sends. */
export const USUAL_GRANTS: ChannelKind['grants'] = {
  administer: 'nobody',
  add: 'nobody',
  subscribe: 'nobody',
  remove: 'administrators',
  send: 'everyone',
}

/** The relation of the actor to the channel. */
export const STANDINGS = ['never subscribed', 'subscribed', 'formerly subscribed'] as const
export type Standing = (typeof STANDINGS)[number]

/** One actor and one channel. */
export interface Case {
  readonly actor: Actor
  readonly kind: ChannelKind
  readonly standing: Standing
}

/**
 * The organization lets moderators subscribe others everywhere; with the default nothing would be refused.
 */
export const ADDERS_EVERYWHERE: Holder = 'moderators'

const isPrivate = ({ kind }: Case) => kind.privacy.startsWith('private')
const isSubscribed = ({ standing }: Case) => standing === 'subscribed'
const isGuest = ({ actor }: Case) => actor === 'guest'
const isAdministrator = ({ actor }: Case) => holds(actor, 'administrators')
/** Permissions that give access to a channel never apply to guests, however they are held. */
const isGranted = (one: Case, grant: Grant) => !isGuest(one) && holds(one.actor, one.kind.grants[grant])

/** The rules, by action. */
export const RULES = {
  /** Sees the channel: through its content, and for members through administering it or the right to join. */
  sees: (one: Case): boolean =>
    RULES.reads(one) || (!isGuest(one) && (isAdministrator(one) || isGranted(one, 'administer'))),
  /**
   * Reads content: of web-public or subscribed channels; members also of public ones, and those they may join
   * or add to.
   */
  reads: (one: Case): boolean =>
    one.kind.privacy === 'web-public' ||
    isSubscribed(one) ||
    (!isGuest(one) && !isPrivate(one)) ||
    isGranted(one, 'add') ||
    isGranted(one, 'subscribe'),
  readsAllHistory: (one: Case): boolean => one.kind.privacy !== 'private with protected history',
  sends: (one: Case): boolean =>
    RULES.reads(one) && !one.kind.isArchived && holds(one.actor, one.kind.grants.send),
  joins: (one: Case): boolean => RULES.reads(one) && !isGuest(one),
  adds: (one: Case): boolean =>
    RULES.joins(one) && (holds(one.actor, ADDERS_EVERYWHERE) || isGranted(one, 'add')),
  /**
   * Administrators from any channel; users with the permission and channel administrators from accessible
   * ones.
   */
  removes: (one: Case): boolean =>
    RULES.sees(one) && (RULES.administers(one) || holds(one.actor, one.kind.grants.remove)),
  administers: (one: Case): boolean =>
    RULES.sees(one) && (isAdministrator(one) || isGranted(one, 'administer')),
  /** Privacy and the permissions to join need access to the content. */
  opens: (one: Case): boolean => RULES.administers(one) && RULES.reads(one),
}
