/** Failures of users' personal lists. */

import { badRequest, type ErrorCases, plain } from './error-case.ts'

export const PERSONAL_ERRORS = {
  ONBOARDING_STEP_UNKNOWN: badRequest(({ name }: { name: string }) => `Unknown onboarding_step: ${name}`),
  DRAFT_UNKNOWN: badRequest('Draft does not exist'),
  DRAFTS_DISABLED: badRequest('User has disabled synchronizing drafts.'),
  DRAFT_CHANNEL_COUNT: badRequest('Must specify exactly 1 channel ID for channel messages'),
  TOO_MANY_DRAFTS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many drafts (maximum ${countMax}).`,
  ),
  SNIPPET_UNKNOWN: badRequest('Saved snippet does not exist.'),
  TOO_MANY_SNIPPETS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many saved snippets (maximum ${countMax}).`,
  ),
  VIEW_UNKNOWN: plain(404, 'NOT_FOUND', 'Navigation view does not exist.'),
  VIEW_EXISTS: badRequest('Navigation view already exists.'),
  VIEW_NAME_FIXED: badRequest('Built-in views cannot have a custom name.'),
  VIEW_NAME_MISSING: badRequest('Custom views must have a valid name.'),
  TOO_MANY_VIEWS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many navigation views (maximum ${countMax}).`,
  ),
  MUTING_ONESELF: badRequest('Cannot mute self'),
  USER_MUTED: badRequest('User already muted'),
  USER_NOT_MUTED: badRequest('User is not muted'),
  TOO_MANY_MUTED_USERS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many muted users (maximum ${countMax}).`,
  ),
  TOO_MANY_ALERT_WORDS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many alert words (maximum ${countMax}).`,
  ),
  ALERT_PHRASE_TOO_LONG: badRequest(
    ({ countMax }: { countMax: number }) => `An alert word has at most ${countMax} words and signs.`,
  ),
  TOPIC_MUTED_ALREADY: badRequest('Topic already muted'),
  TOPIC_NOT_MUTED: badRequest('Topic is not muted'),
  TOO_MANY_USER_TOPICS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many topics with a visibility policy (maximum ${countMax}).`,
  ),
} satisfies ErrorCases
