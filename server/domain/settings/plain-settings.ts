/**
 * Settings that are stored and sent unchanged: a line here adds a setting to `PATCH /realm`, to registrations and to
 * events, under its own name with underscores.
 */

import { CODE_LANGUAGE_LENGTH_MAX, WELCOME_MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { between, choice, flag, initialValues, language, ofText, server } from './setting-kinds.ts'

/** Call services that clients use without this server. */
export const VIDEO_CALL_SERVICES = {
  disabled: { name: 'None', id: 0 },
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
} as const

/** The service that this server uses to create calls, if its operator has configured one. */
export const PROVIDER_SERVICE_ID = 3
/** The same for BigBlueButton. */
export const BIGBLUEBUTTON_SERVICE_ID = 4
/** The same for LiveKit, which the API family does not have: far from the numbers that it may give away. */
export const LIVEKIT_SERVICE_ID = 1000

/** Audience ratings of the animations that clients offer. */
export const ANIMATION_RATINGS = {
  disabled: { name: 'No animations', id: 0 },
  y: { name: 'Rated Y: for small children', id: 1 },
  g: { name: 'Rated G: for everyone', id: 2 },
  pg: { name: 'Rated PG: with parents', id: 3 },
  'pg-13': { name: 'Rated PG-13: from 13 years on', id: 4 },
  r: { name: 'Rated R: for adults', id: 5 },
} as const

type IdOf<Options extends Readonly<Record<string, { readonly id: number }>>> = Options[keyof Options]['id']
const idsOf = <Options extends Readonly<Record<string, { readonly id: number }>>>(options: Options) =>
  Object.values(options).map(({ id }) => id) as IdOf<Options>[]

/** The server follows the settings before the empty line; clients follow the others. */
export const PLAIN_SETTINGS = {
  defaultLanguage: language('en', 'The language of new users.'),
  defaultCodeBlockLanguage: ofText(CODE_LANGUAGE_LENGTH_MAX, 'The language of code blocks without one.'),
  emailsRestrictedToDomains: flag(
    false,
    "For owners: whether new accounts need an address of the organization's domains.",
  ),
  inlineImagePreview: flag(true, 'Whether messages show previews of linked pictures.'),
  inlineUrlEmbedPreview: flag(
    false,
    'Whether the server fetches linked pages and pictures of other servers, and shows previews of them.',
  ),
  nameChangesDisabled: flag(false, 'Whether only administrators may change names.'),
  emailChangesDisabled: flag(false, 'Whether only administrators may change their email addresses.'),
  avatarChangesDisabled: flag(false, 'Whether only administrators may change their avatars.'),
  presenceDisabled: flag(false, 'Whether presence is neither recorded nor shown.'),
  requireUniqueNames: flag(false, 'Whether a new name must differ from all other users’ names.'),

  disallowDisposableEmailAddresses: flag(
    false,
    'For owners: whether new accounts need a lasting email address.',
  ),
  enableGuestUserIndicator: flag(true, 'Whether clients mark the names of guests.'),
  enableGuestUserDmWarning: flag(true, 'Whether clients warn users who write to guests.'),
  digestEmailsEnabled: flag(false, 'Whether users may get digests by email.'),
  digestWeekday: between(0, 6, 1, 'The day of digests, from Monday, 0, to Sunday.'),
  sendWelcomeEmails: flag(false, 'Whether new users get a welcome by email.'),
  welcomeMessageCustomText: ofText(WELCOME_MESSAGE_LENGTH_MAX, 'The welcome message for new users.'),
  messageContentAllowedInEmailNotifications: flag(
    true,
    'Whether notifications by email may contain messages.',
  ),
  videoChatProvider: choice(
    [...idsOf(VIDEO_CALL_SERVICES), PROVIDER_SERVICE_ID, BIGBLUEBUTTON_SERVICE_ID, LIVEKIT_SERVICE_ID],
    0,
    'The provider of calls: 0 none, 1 Jitsi Meet, 3 the one that the operator configured, 4 BigBlueButton, 1000 LiveKit.',
  ),
  jitsiServerUrl: server('The address of a call server; null for none, which a request sets by `default`.'),
  giphyRating: choice(
    idsOf(ANIMATION_RATINGS),
    0,
    'The audience rating of animations: a number from `giphy_rating_options` of the registration.',
  ),
  orgType: choice(
    [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000],
    0,
    'The kind of organization: 0 unspecified, 10 business, 20 open source, 30 and 35 education, 40 research, 50 ' +
      'event, 60 nonprofit, 70 government, 80 political, 90 community, 100 personal, 1000 other.',
  ),
  wantAdvertiseInCommunitiesDirectory: flag(
    false,
    'Whether the organization wants to be in a public directory of communities.',
  ),
}

export type PlainSettingName = keyof typeof PLAIN_SETTINGS
export const PLAIN_SETTINGS_DEFAULTS = initialValues(PLAIN_SETTINGS)
