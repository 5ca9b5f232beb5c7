/** The initial state of the organization. */

import { BOOLEAN, INTEGER, orNull, STRING } from '../../domain/json-schema.ts'
import {
  describePermission,
  ORGANIZATION_PERMISSIONS,
  type OrganizationPermission,
} from '../../domain/groups/permissions.ts'
import {
  ORGANIZATION_PICTURES,
  type OrganizationPictures,
} from '../../domain/organization/organization-pictures.ts'
import { pushesToPhones } from '../pushes-to-phones.ts'
import { EMOJI_DATA_PATH } from '../../views/emoji-data.ts'
import { NUMBERED_CHOICES } from '../../views/numbered-choices.ts'
import { PICTURE_FIELDS, viewOrganizationPicture } from '../../views/organization-pictures-view.ts'
import { ORGANIZATION_FIELDS, viewOrganization } from '../../views/organization-view.ts'
import { permissionName } from '../../views/permission-view.ts'
import type { ReplyOf } from '../operation.ts'
import { ADDRESS_FIELDS, viewAddress } from './address.ts'
import { viewCallServices } from './calls.ts'
import { FIXED_FIELDS } from './fixed-settings.ts'
import { LIMIT_FIELDS } from './limits.ts'
import { SERVER_FIELDS } from './server.ts'
import { describedFields, statePart, valuesOf } from './state-part.ts'

type SettingSchemas = typeof ORGANIZATION_FIELDS

const PERMISSION_TEXTS = Object.fromEntries(
  Object.entries(ORGANIZATION_PERMISSIONS).map(([name, rule]) => [
    `realm_${permissionName(name as OrganizationPermission)}`,
    describePermission(rule),
  ]),
)

/** The settings and permissions, under the names that they have in a registration. */
const SETTING_FIELDS = describedFields(
  Object.fromEntries(
    Object.entries(ORGANIZATION_FIELDS).map(([name, schema]) => [`realm_${name}`, schema]),
  ) as { [Name in keyof SettingSchemas as `realm_${Name}`]: SettingSchemas[Name] },
  PERMISSION_TEXTS,
)

/** The age of the organization, and what the operator has set up. */
const OPERATOR_FIELDS = {
  max_file_upload_size_mib: { schema: INTEGER, description: 'The largest upload, in MiB.' },
  realm_upload_quota_mib: {
    schema: orNull(INTEGER),
    description: 'The space for all uploads together, in MiB; null without a limit.',
  },
  server_generation: { schema: INTEGER, description: 'Rises when the server restarts.' },
  realm_date_created: {
    schema: INTEGER,
    description: 'The UNIX time at which the organization was created.',
  },
  ...ADDRESS_FIELDS,
  realm_bot_domain: { schema: STRING, description: "The domain of bots' email addresses." },
  realm_available_video_chat_providers: {
    schema: NUMBERED_CHOICES,
    description: 'The providers of calls that `realm_video_chat_provider` may name.',
  },
  realm_push_notifications_enabled: {
    schema: BOOLEAN,
    description: 'Whether messages are pushed to phones.',
  },
  parley_email_enabled: {
    schema: BOOLEAN,
    description:
      'Whether the server sends emails; without, nobody is reached that way. An extension of this server.',
  },
  server_web_public_streams_enabled: {
    schema: BOOLEAN,
    description: 'Whether the server allows web-public channels.',
  },
  server_gravatar_enabled: {
    schema: BOOLEAN,
    description:
      'Whether the server allows pictures of Gravatar, so that `realm_default_avatar_source` may be `G`.',
  },
  server_emoji_data_url: {
    schema: STRING,
    description: 'The address of the list of emoji with their names.',
  },
  event_queue_longpoll_timeout_seconds: {
    schema: INTEGER,
    description: 'Seconds after which a client should give up a long poll.',
  },
}

const PICTURE_STATE_FIELDS = {
  realm_icon_url: { schema: PICTURE_FIELDS.icon_url, description: 'The address of its icon.' },
  realm_icon_source: {
    schema: PICTURE_FIELDS.icon_source,
    description: "`U` if the icon was uploaded, `G` if it is the server's own.",
  },
  realm_logo_url: {
    schema: PICTURE_FIELDS.logo_url,
    description: 'The address of its logo; empty without one.',
  },
  realm_logo_source: {
    schema: PICTURE_FIELDS.logo_source,
    description: '`U` if there is a logo, `D` if not.',
  },
  realm_night_logo_url: {
    schema: PICTURE_FIELDS.night_logo_url,
    description: 'The address of its logo for dark themes; empty without one.',
  },
  realm_night_logo_source: {
    schema: PICTURE_FIELDS.night_logo_source,
    description: '`U` if there is a logo for dark themes, `D` if not.',
  },
}

/** All pictures under the names that they have in a registration. */
function viewPictures(pictures: OrganizationPictures): ReplyOf<typeof PICTURE_STATE_FIELDS> {
  const fields = ORGANIZATION_PICTURES.flatMap((which) =>
    Object.entries(viewOrganizationPicture(pictures, which)).map(([name, value]) => [`realm_${name}`, value]),
  )
  return Object.fromEntries(fields) as ReplyOf<typeof PICTURE_STATE_FIELDS>
}

const CONSTANT_FIELDS = { ...FIXED_FIELDS, ...LIMIT_FIELDS, ...SERVER_FIELDS }
const CONSTANTS = valuesOf(CONSTANT_FIELDS)

/** `realm`. */
export const organization = statePart({
  fields: { ...CONSTANT_FIELDS, ...SETTING_FIELDS, ...PICTURE_STATE_FIELDS, ...OPERATOR_FIELDS },
  async fetch({ services }) {
    const { state, uploads, publicUrl, pollHoldSeconds, hasWebPublicChannels, hasMailServer } = services
    return {
      ...CONSTANTS,
      max_file_upload_size_mib: uploads.mibMax,
      realm_upload_quota_mib: uploads.quotaMib,
      ...viewOrganization(state),
      ...viewPictures(state.pictures),
      server_generation: state.generationNumber,
      realm_date_created: state.organization?.createdAt ?? 0,
      ...viewAddress(publicUrl),
      realm_bot_domain: new URL(publicUrl).hostname,
      realm_available_video_chat_providers: viewCallServices(services),
      realm_push_notifications_enabled: pushesToPhones(services),
      parley_email_enabled: hasMailServer,
      server_web_public_streams_enabled: hasWebPublicChannels,
      server_gravatar_enabled: state.usesGravatar,
      server_emoji_data_url: publicUrl + EMOJI_DATA_PATH,
      event_queue_longpoll_timeout_seconds: Math.max(90, pollHoldSeconds * 2),
    }
  },
})
