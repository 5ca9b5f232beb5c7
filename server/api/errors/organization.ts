/** Failures around the organization's lists. */

import { type ErrorCases, plain, worded } from './error-case.ts'

export const ORGANIZATION_ERRORS = {
  LINKIFIER_UNKNOWN: plain(400, 'BAD_REQUEST', 'Linkifier not found.'),
  LINKIFIER_INVALID: worded(
    400,
    'BAD_REQUEST',
    ({ errors }: { errors: Readonly<Record<string, readonly string[]>> }) =>
      Object.values(errors)[0]?.[0] ?? 'Invalid linkifier.',
    ({ errors }) => ({ errors }),
  ),
  LINKIFIER_ORDER_INVALID: plain(
    400,
    'BAD_REQUEST',
    'The ordered list must enumerate all existing linkifiers exactly once',
  ),
  TOO_MANY_LINKIFIERS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many linkifiers (maximum ${countMax}).`,
  ),
  PLAYGROUND_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid playground'),
  PLAYGROUND_LANGUAGE_INVALID: plain(400, 'BAD_REQUEST', 'Invalid characters in highlighter language'),
  PLAYGROUND_TEMPLATE_INVALID: worded(400, 'BAD_REQUEST', ({ message }: { message: string }) => message),
  PLAYGROUND_EXISTS: plain(
    400,
    'BAD_REQUEST',
    'Realm playground with this Realm, Highlighter language and Name already exists.',
  ),
  TOO_MANY_PLAYGROUNDS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many code playgrounds (maximum ${countMax}).`,
  ),
  EMAIL_DOMAIN_UNKNOWN: worded(
    400,
    'BAD_REQUEST',
    ({ domain }: { domain: string }) => `No entry found for domain ${domain}.`,
  ),
  EMAIL_DOMAIN_INVALID: worded(
    400,
    'BAD_REQUEST',
    ({ reason }: { reason: string }) => `Invalid domain: ${reason}`,
  ),
  EMAIL_DOMAIN_EXISTS: worded(
    400,
    'BAD_REQUEST',
    ({ domain }: { domain: string }) => `The domain ${domain} is already a part of your organization.`,
  ),
  TOO_MANY_EMAIL_DOMAINS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many domains (maximum ${countMax}).`,
  ),
  EMAIL_NOT_ALLOWED: worded(
    400,
    'BAD_REQUEST',
    ({ email }: { email: string }) => `Email '${email}' not allowed in this organization`,
  ),
  EMAIL_HOLDS_PLUS: plain(400, 'BAD_REQUEST', 'Email addresses containing + are not allowed.'),
} satisfies ErrorCases
