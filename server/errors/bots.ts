/** Failures of operations on bots. */

import { badRequest, type ErrorCases } from './error-case.ts'

export const BOT_ERRORS = {
  BOT_REFUSED: badRequest('This endpoint does not accept bot requests.'),
  BOT_UNKNOWN: badRequest('No such bot'),
  BOT_TYPE_UNKNOWN: badRequest('Invalid bot type'),
  BOT_ADDRESS_INVALID: badRequest('Bad name or username'),
  BOT_ADDRESS_TAKEN: badRequest('Username already in use'),
  BOT_NAME_TAKEN: badRequest('Name is already in use!'),
  BOT_NAME_TAKEN_MEANWHILE: badRequest(
    ({ name }: { name: string }) => `There is already an active bot named "${name}" in this organization.`,
  ),
  BOT_INTERFACE_UNKNOWN: badRequest('Invalid interface type'),
  BOT_SERVICE_MISSING: badRequest('This bot is not an outgoing webhook.'),
  BOT_CONFIG_REFUSED: badRequest('The configuration of a bot has only a webhook_secret.'),
  BOT_OWNER_UNKNOWN: badRequest('Failed to change owner, no such user'),
  BOT_OWNER_INACTIVE: badRequest('Failed to change owner, user is deactivated'),
  BOT_OWNED_BY_BOT: badRequest("Failed to change owner, bots can't own other bots"),
  BOT_ROLE_TOO_HIGH: badRequest('A bot cannot have a higher role than its owner.'),
  TOO_MANY_BOTS: badRequest(({ countMax }: { countMax: number }) => `Too many bots (maximum ${countMax}).`),
  BOT_REQUIRED: badRequest('This endpoint only accepts bot requests.'),
  BOT_STORAGE_KEY_UNKNOWN: badRequest('Key does not exist.'),
  BOT_STORAGE_FULL: badRequest(
    ({ excess, lengthMax }: { excess: number; lengthMax: number }) =>
      `Request exceeds storage limit by ${excess} characters. The limit is ${lengthMax} characters.`,
  ),
  TOO_MANY_BOT_STORAGE_KEYS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many keys (maximum ${countMax}).`,
  ),
  WEBHOOK_PAYLOAD_INVALID: badRequest('Malformed payload'),
  WEBHOOK_TEXT_MISSING: badRequest('The payload has no text.'),
  WEBHOOK_SIGNATURE_WRONG: badRequest('Webhook signature verification failed.'),
  WEBHOOK_NOT_POSTED: badRequest(({ reason }: { reason: string }) => reason),
  BOT_OWNER_DEACTIVATED: badRequest("The bot's owner is deactivated."),
} satisfies ErrorCases
