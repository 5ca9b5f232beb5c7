/** The initial state of the server: its features, and those that it lacks. */

import { arrayOf, BOOLEAN, INTEGER, oneOf, orNull, record, STRING } from '../../domain/json-schema.ts'
import { THUMBNAIL_FORMATS } from '../../domain/files/thumbnails.ts'
import { REPORT_REASONS_VIEW } from '../../decisions/messages/report-wording.ts'
import { PERMISSION_RULES, PERMISSION_RULES_VIEW } from '../../views/permission-rules-view.ts'
import { constant } from './state-part.ts'

const THUMBNAIL_FORMAT = record({
  name: STRING,
  max_width: INTEGER,
  max_height: INTEGER,
  format: oneOf('webp'),
  animated: BOOLEAN,
})
const never = (description: string) => constant(BOOLEAN, false, description)

/** The features, the same for all users. */
export const SERVER_FIELDS = {
  server_needs_upgrade: never('Whether the server is too old for its clients: never.'),
  development_environment: never('Whether the server is for development: never.'),
  server_avatar_changes_disabled: never('Whether the server forbids changes of avatars: never.'),
  server_name_changes_disabled: never('Whether the server forbids changes of names: never.'),
  server_inline_image_preview: constant(BOOLEAN, true, 'Whether messages may have previews of pictures.'),
  server_inline_url_embed_preview: constant(BOOLEAN, true, 'Whether messages may have previews of pages.'),
  server_thumbnail_formats: constant(
    arrayOf(THUMBNAIL_FORMAT),
    THUMBNAIL_FORMATS.map(({ name, widthMax, heightMax, isAnimated }) => ({
      name,
      max_width: widthMax,
      max_height: heightMax,
      format: 'webp' as const,
      animated: isAnimated,
    })),
    'The formats in which thumbnails can be fetched.',
  ),
  server_can_summarize_topics: never('Whether the server can summarize topics: never.'),
  server_jitsi_server_url: constant(orNull(STRING), null, "The server's own call server: always null."),
  jitsi_server_url: constant(STRING, '', 'The same for older clients: always empty.'),
  server_min_deactivated_realm_deletion_days: constant(
    orNull(INTEGER),
    null,
    'Days until a deactivated organization may be deleted: null, since none can be deactivated.',
  ),
  server_max_deactivated_realm_deletion_days: constant(
    orNull(INTEGER),
    null,
    'Days until a deactivated organization must be deleted: null, since none can be deactivated.',
  ),
  settings_send_digest_emails: never('Whether the server sends digests by email: never.'),
  server_supported_permission_settings: constant(
    PERMISSION_RULES,
    PERMISSION_RULES_VIEW,
    'The groups that each permission may be set to: of the organization, of a channel, of a user group.',
  ),
  server_report_message_types: constant(
    arrayOf(record({ key: STRING, name: STRING })),
    REPORT_REASONS_VIEW,
    'The reasons for which a message can be reported.',
  ),
}
