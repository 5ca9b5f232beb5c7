/**
 * What administrators set that is kept and told as it is: a line here makes a setting of `PATCH /realm`, of
 * registrations and of events, under its own name with underscores.
 */

import { CODE_LANGUAGE_LENGTH_MAX, WELCOME_MESSAGE_LENGTH_MAX } from './limits.ts'
import { between, choice, flag, initialValues, language, ofText, server } from './setting-kinds.ts'

/** Services by which clients can make calls without this server. */
export const VIDEO_CALL_SERVICES = {
  disabled: { name: 'None', id: 0 },
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
} as const

/** The service at which this server makes calls, where its operator has set one. */
export const PROVIDER_SERVICE_ID = 3

/** For whom animations are that clients offer. */
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

/** The server follows those before the empty line; the others are for clients to follow. */
export const PLAIN_SETTINGS = {
  defaultLanguage: language('en'),
  defaultCodeBlockLanguage: ofText(CODE_LANGUAGE_LENGTH_MAX, 'The language of code that names none.'),
  emailsRestrictedToDomains: flag(
    false,
    "For owners: whether new accounts need an address of the organization's domains.",
  ),
  inlineImagePreview: flag(true, 'Whether images to which messages link are shown.'),
  nameChangesDisabled: flag(false, 'Whether only administrators change names, their own included.'),
  emailChangesDisabled: flag(false, 'Whether only administrators change their email addresses.'),
  avatarChangesDisabled: flag(false, 'Whether only administrators change their avatars.'),
  presenceDisabled: flag(false, 'Whether it is neither noted nor told who is there.'),
  requireUniqueNames: flag(false, 'Whether a new name must be nobody else’s.'),

  disallowDisposableEmailAddresses: flag(false, 'For owners.'),
  inlineUrlEmbedPreview: flag(false),
  enableGuestUserIndicator: flag(true, 'Whether the names of guests are marked.'),
  enableGuestUserDmWarning: flag(true, 'Whether people are warned who write to guests.'),
  digestEmailsEnabled: flag(false),
  digestWeekday: between(0, 6, 1, 'From Monday, 0, to Sunday.'),
  sendWelcomeEmails: flag(false),
  welcomeMessageCustomText: ofText(WELCOME_MESSAGE_LENGTH_MAX, 'What newcomers are greeted with.'),
  messageContentAllowedInEmailNotifications: flag(false),
  videoChatProvider: choice(
    [...idsOf(VIDEO_CALL_SERVICES), PROVIDER_SERVICE_ID],
    0,
    '0 none, 1 Jitsi Meet, 3 the provider that the operator of the server has set.',
  ),
  jitsiServerUrl: server('The address of a server for calls, or `default`.'),
  giphyRating: choice(
    idsOf(ANIMATION_RATINGS),
    0,
    'What `giphy_rating_options` of the registration numbers.',
  ),
  orgType: choice(
    [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000],
    0,
    'What kind of organization it is: 0 not said, 10 business, 20 open source, 30 and 35 education, 40 research, 50 ' +
      'event, 60 nonprofit, 70 government, 80 political, 90 community, 100 personal, 1000 other.',
  ),
  wantAdvertiseInCommunitiesDirectory: flag(false),
}

export type PlainSettingName = keyof typeof PLAIN_SETTINGS
export const PLAIN_SETTINGS_DEFAULTS = initialValues(PLAIN_SETTINGS)
