/** The settings of the organization that are fixed on this server. */

import { BOOLEAN, INTEGER, mapOf, orNull, record, STRING } from '../../domain/json-schema.ts'
import { ANIMATION_RATINGS } from '../../domain/settings/plain-settings.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../packages/rules/topics.ts'
import { NUMBERED_CHOICES } from '../../views/numbered-choices.ts'
import { EXTERNAL_ACCOUNT_SITES, EXTERNAL_ACCOUNTS_VIEW } from '../../views/profile-field-view.ts'
import { constant } from './state-part.ts'

/** The settings, the same for all users. */
export const FIXED_FIELDS = {
  realm_empty_topic_display_name: constant(
    STRING,
    EMPTY_TOPIC_DISPLAY_NAME,
    'The name that clients show for the empty topic.',
  ),
  realm_default_external_accounts: constant(
    EXTERNAL_ACCOUNT_SITES,
    EXTERNAL_ACCOUNTS_VIEW,
    'The sites that profile fields of external accounts may use.',
  ),
  // Administrators or invitations create accounts, and all have a password.
  realm_authentication_methods: constant(
    mapOf(record({ enabled: BOOLEAN, available: BOOLEAN })),
    { Email: { enabled: true, available: true } },
    'The ways to log in, by name.',
  ),
  realm_email_auth_enabled: constant(BOOLEAN, true, 'Whether users log in by email address and password.'),
  realm_password_auth_enabled: constant(BOOLEAN, true, 'Whether users log in by a password.'),
  realm_invite_required: constant(BOOLEAN, true, 'Whether only invited people can join.'),
  realm_push_notifications_enabled_end_timestamp: constant(
    orNull(INTEGER),
    null,
    'The end of mobile notifications: null, since the relay never ends.',
  ),
  giphy_rating_options: constant(
    NUMBERED_CHOICES,
    ANIMATION_RATINGS,
    'The audience ratings that `realm_giphy_rating` may have.',
  ),
  realm_signup_announcements_stream_id: constant(
    INTEGER,
    -1,
    'The channel that announces new users: -1 for none.',
  ),
  realm_service_update_announcements_stream_id: constant(
    INTEGER,
    -1,
    'The channel that announces new features: -1 for none.',
  ),
  realm_is_zephyr_mirror_realm: constant(BOOLEAN, false, 'Whether the organization mirrors another: never.'),
  realm_plan_type: constant(INTEGER, 1, 'The plan of the organization: 1, self-hosted.'),
  service_plan_is_not_limited: constant(BOOLEAN, true, 'Whether the plan has all features.'),
  upgrade_text_for_wide_organization_logo: constant(STRING, '', 'Advice to change the plan: always empty.'),
}
