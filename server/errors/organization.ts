/** Failures of the organization's lists. */

import { badRequest, type ErrorCases } from './error-case.ts'

export const ORGANIZATION_ERRORS = {
  GRAVATAR_DISABLED: badRequest('Gravatar is not enabled on this server.'),
  LINKIFIER_UNKNOWN: badRequest('Linkifier not found.'),
  LINKIFIER_INVALID: badRequest(
    ({ errors }: { errors: Readonly<Record<string, readonly string[]>> }) =>
      Object.values(errors)[0]?.[0] ?? 'Invalid linkifier.',
    ({ errors }) => ({ errors }),
  ),
  LINKIFIER_ORDER_INVALID: badRequest('The ordered list must enumerate all existing linkifiers exactly once'),
  TOO_MANY_LINKIFIERS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many linkifiers (maximum ${countMax}).`,
  ),
  PLAYGROUND_UNKNOWN: badRequest('Invalid playground'),
  PLAYGROUND_LANGUAGE_INVALID: badRequest('Invalid characters in highlighter language'),
  PLAYGROUND_TEMPLATE_INVALID: badRequest(({ message }: { message: string }) => message),
  PLAYGROUND_EXISTS: badRequest(
    'Realm playground with this Realm, Highlighter language and Name already exists.',
  ),
  TOO_MANY_PLAYGROUNDS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many code playgrounds (maximum ${countMax}).`,
  ),
  EMAIL_DOMAIN_UNKNOWN: badRequest(
    ({ domain }: { domain: string }) => `No entry found for domain ${domain}.`,
  ),
  EMAIL_DOMAIN_INVALID: badRequest(({ reason }: { reason: string }) => `Invalid domain: ${reason}`),
  EMAIL_DOMAIN_EXISTS: badRequest(
    ({ domain }: { domain: string }) => `The domain ${domain} is already a part of your organization.`,
  ),
  TOO_MANY_EMAIL_DOMAINS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many domains (maximum ${countMax}).`,
  ),
  EMAIL_NOT_ALLOWED: badRequest(
    ({ email }: { email: string }) => `Email '${email}' not allowed in this organization`,
  ),
  EMAIL_HOLDS_PLUS: badRequest('Email addresses containing + are not allowed.'),
} satisfies ErrorCases
