/** Failures around what users keep for themselves. */

import { type ErrorCases, plain, worded } from './error-case.ts'

export const PERSONAL_ERRORS = {
  DRAFT_UNKNOWN: plain(400, 'BAD_REQUEST', 'Draft does not exist'),
  DRAFTS_DISABLED: plain(400, 'BAD_REQUEST', 'User has disabled synchronizing drafts.'),
  DRAFT_CHANNEL_COUNT: plain(400, 'BAD_REQUEST', 'Must specify exactly 1 channel ID for channel messages'),
  TOO_MANY_DRAFTS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many drafts (maximum ${countMax}).`,
  ),
  SNIPPET_UNKNOWN: plain(400, 'BAD_REQUEST', 'Saved snippet does not exist.'),
  TOO_MANY_SNIPPETS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many saved snippets (maximum ${countMax}).`,
  ),
  VIEW_UNKNOWN: plain(404, 'NOT_FOUND', 'Navigation view does not exist.'),
  VIEW_EXISTS: plain(400, 'BAD_REQUEST', 'Navigation view already exists.'),
  VIEW_NAME_FIXED: plain(400, 'BAD_REQUEST', 'Built-in views cannot have a custom name.'),
  VIEW_NAME_MISSING: plain(400, 'BAD_REQUEST', 'Custom views must have a valid name.'),
  TOO_MANY_VIEWS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many navigation views (maximum ${countMax}).`,
  ),
  MUTING_ONESELF: plain(400, 'BAD_REQUEST', 'Cannot mute self'),
  USER_MUTED: plain(400, 'BAD_REQUEST', 'User already muted'),
  USER_NOT_MUTED: plain(400, 'BAD_REQUEST', 'User is not muted'),
  TOO_MANY_MUTED_USERS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many muted users (maximum ${countMax}).`,
  ),
  TOO_MANY_ALERT_WORDS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many alert words (maximum ${countMax}).`,
  ),
  ALERT_PHRASE_TOO_LONG: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `An alert word has at most ${countMax} words and signs.`,
  ),
  TOPIC_MUTED_ALREADY: plain(400, 'BAD_REQUEST', 'Topic already muted'),
  TOPIC_NOT_MUTED: plain(400, 'BAD_REQUEST', 'Topic is not muted'),
  TOO_MANY_USER_TOPICS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many topics with a visibility policy (maximum ${countMax}).`,
  ),
} satisfies ErrorCases
