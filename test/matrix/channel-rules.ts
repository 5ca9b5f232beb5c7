/**
 * Who may do what with a channel, as the API's documents say it: a second telling, made from them alone,
 * to hold the server's own rules against.
 */

/** Those who ask. The newcomer's account is younger than the organization's waiting period. */
export const ACTORS = ['owner', 'administrator', 'moderator', 'member', 'newcomer', 'guest', 'bot'] as const
export type Actor = (typeof ACTORS)[number]

/** Who holds a permission: nobody, a group that follows roles, the actor by name, or a group of some within a group. */
export type Holder =
  | 'nobody'
  | 'administrators'
  | 'moderators'
  | 'fullmembers'
  | 'members'
  | 'everyone'
  | 'self'
  | 'crew'

/** Members of the group within the group `crew`. */
export const CREW: readonly Actor[] = ['member', 'newcomer', 'guest', 'bot']

/** From more to less. */
const RANKS: readonly (readonly Actor[])[] = [
  ['owner', 'administrator'],
  ['moderator'],
  ['member', 'bot'],
  ['newcomer'],
  ['guest'],
]
const RANKS_HELD = { administrators: 1, moderators: 2, fullmembers: 3, members: 4, everyone: 5 } as const

/** Whether an actor holds what `holder` holds. */
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

/** The permissions of one channel that decide here. */
export const GRANTS = ['administer', 'add', 'subscribe', 'remove', 'send'] as const
export type Grant = (typeof GRANTS)[number]

/** What a channel may be like. */
export interface ChannelKind {
  readonly privacy: 'public' | 'web-public' | 'private with shared history' | 'private with protected history'
  readonly isArchived: boolean
  readonly grants: Readonly<Record<Grant, Holder>>
}

/** Without a word from anyone: administrators remove, everyone sends. */
export const USUAL_GRANTS: ChannelKind['grants'] = {
  administer: 'nobody',
  add: 'nobody',
  subscribe: 'nobody',
  remove: 'administrators',
  send: 'everyone',
}

/** What the actor is to the channel. */
export const STANDINGS = ['never subscribed', 'subscribed', 'formerly subscribed'] as const
export type Standing = (typeof STANDINGS)[number]

/** One actor before one channel. */
export interface Case {
  readonly actor: Actor
  readonly kind: ChannelKind
  readonly standing: Standing
}

/** The organization lets moderators subscribe others everywhere; the usual setting would leave nothing to refuse. */
export const ADDERS_EVERYWHERE: Holder = 'moderators'

const isPrivate = ({ kind }: Case) => kind.privacy.startsWith('private')
const isSubscribed = ({ standing }: Case) => standing === 'subscribed'
const isGuest = ({ actor }: Case) => actor === 'guest'
const isAdministrator = ({ actor }: Case) => holds(actor, 'administrators')
/** Permissions that make a way into a channel are never a guest's, however they are held. */
const isGranted = (one: Case, grant: Grant) => !isGuest(one) && holds(one.actor, one.kind.grants[grant])

/** The rules, by what an actor wants. */
export const RULES = {
  /** Knows the channel: its content does, and for members whatever they administer or may join. */
  sees: (one: Case): boolean =>
    RULES.reads(one) || (!isGuest(one) && (isAdministrator(one) || isGranted(one, 'administer'))),
  /** Reads content: what is web-public or their own; members what is public, or what they may join or fill. */
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
  /** Administrators from any channel; who may remove, or administers, from those they can access. */
  removes: (one: Case): boolean =>
    RULES.sees(one) && (RULES.administers(one) || holds(one.actor, one.kind.grants.remove)),
  administers: (one: Case): boolean =>
    RULES.sees(one) && (isAdministrator(one) || isGranted(one, 'administer')),
  /** Privacy, and who may come in, are set by those who are in. */
  opens: (one: Case): boolean => RULES.administers(one) && RULES.reads(one),
}
