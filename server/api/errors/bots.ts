/** Failures around bots. */

import { type ErrorCases, plain, worded } from './error-case.ts'

export const BOT_ERRORS = {
  BOT_REFUSED: plain(400, 'BAD_REQUEST', 'This endpoint does not accept bot requests.'),
  BOT_UNKNOWN: plain(400, 'BAD_REQUEST', 'No such bot'),
  BOT_TYPE_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid bot type'),
  BOT_ADDRESS_INVALID: plain(400, 'BAD_REQUEST', 'Bad name or username'),
  BOT_ADDRESS_TAKEN: plain(400, 'BAD_REQUEST', 'Username already in use'),
  BOT_NAME_TAKEN: plain(400, 'BAD_REQUEST', 'Name is already in use!'),
  BOT_NAME_TAKEN_MEANWHILE: worded(
    400,
    'BAD_REQUEST',
    ({ name }: { name: string }) => `There is already an active bot named "${name}" in this organization.`,
  ),
  BOT_INTERFACE_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid interface type'),
  BOT_SERVICE_MISSING: plain(400, 'BAD_REQUEST', 'This bot is not an outgoing webhook.'),
  BOT_CONFIG_REFUSED: plain(400, 'BAD_REQUEST', 'Only embedded bots have a configuration.'),
  BOT_OWNER_UNKNOWN: plain(400, 'BAD_REQUEST', 'Failed to change owner, no such user'),
  BOT_OWNER_INACTIVE: plain(400, 'BAD_REQUEST', 'Failed to change owner, user is deactivated'),
  BOT_OWNED_BY_BOT: plain(400, 'BAD_REQUEST', "Failed to change owner, bots can't own other bots"),
  TOO_MANY_BOTS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many bots (maximum ${countMax}).`,
  ),
  BOT_OWNER_DEACTIVATED: plain(400, 'BAD_REQUEST', "The bot's owner is deactivated."),
} satisfies ErrorCases
