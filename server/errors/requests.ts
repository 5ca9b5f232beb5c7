/** Failures of any request, of event queues and of pages. */

import { badRequest, type ErrorCase, type ErrorCases, plain, worded } from './error-case.ts'

/** Failures of a request that do not depend on its operation. */
export const REQUEST_ERRORS = {
  AUTHORIZATION_MISSING: plain(401, 'UNAUTHORIZED', 'Missing authorization header for basic auth'),
  AUTHORIZATION_MALFORMED: plain(401, 'UNAUTHORIZED', 'Invalid authorization header for basic auth'),
  BEARER_MISSING: plain(401, 'UNAUTHORIZED', 'Missing authorization header with an API key as bearer token'),
  API_KEY_MALFORMED: plain(401, 'UNAUTHORIZED', 'Malformed API key'),
  API_KEY_INVALID: plain(401, 'UNAUTHORIZED', 'Invalid API key'),
  ACCOUNT_DEACTIVATED: plain(401, 'UNAUTHORIZED', 'Account is deactivated'),
  TICKET_INVALID: plain(401, 'UNAUTHORIZED', 'Invalid ticket'),
  WEBHOOK_BOT_REFUSED: plain(401, 'UNAUTHORIZED', 'This API is not available to incoming webhook bots.'),
  KEY_SCOPE_EXCEEDED: plain(403, 'KEY_SCOPE_EXCEEDED', 'This key is not for this request.'),
  KEY_UNKNOWN: plain(404, 'NOT_FOUND', 'Key does not exist.'),
  TOO_MANY_NAMED_KEYS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many keys of programs (maximum ${countMax}).`,
  ),
  KEY_NOT_FOR_PEOPLE: badRequest('Only bots have keys for webhooks.'),
  DEMO_LINK_INVALID: badRequest('Invalid demo link.'),
  PASSWORD_INCORRECT: plain(401, 'AUTHENTICATION_FAILED', 'Your username or password is incorrect'),
  SESSION_INVALID: plain(401, 'UNAUTHORIZED', 'Not logged in: API authentication or user session required'),
  CSRF_TOKEN_WRONG: plain(403, 'CSRF_FAILED', 'CSRF error: CSRF token missing or incorrect.'),
  SESSION_UNKNOWN: plain(404, 'NOT_FOUND', 'Session does not exist.'),
  SESSION_MISSING: badRequest('This request is not part of a session.'),
  ENDPOINT_UNKNOWN: plain(404, 'NOT_FOUND', 'No such endpoint'),
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: () => 'Method Not Allowed',
    extra: ({ allowed }) => ({ allowed_methods: allowed }),
  } as ErrorCase<{ allowed: readonly string[] }>,
  BODY_TOO_LARGE: worded(
    413,
    'BAD_REQUEST',
    ({ bytesMax }: { bytesMax: number }) => `Request body is too large (limit: ${bytesMax} bytes)`,
  ),
  BODY_MALFORMED: badRequest('Malformed request body'),
  BODY_AMBIGUOUS: badRequest('The length of the request body is ambiguous'),
  PART_HEADERS_TOO_LONG: badRequest('The headers of a part of the request body are too long'),
  ADDRESS_TOO_LONG: worded(
    414,
    'BAD_REQUEST',
    ({ lengthMax }: { lengthMax: number }) => `The address is too long (limit: ${lengthMax} characters)`,
  ),
  REQUEST_MALFORMED: badRequest('Malformed request'),
  HEADERS_TOO_LONG: worded(
    431,
    'BAD_REQUEST',
    ({ bytesMax }: { bytesMax: number }) => `The headers are too long (limit: ${bytesMax} bytes)`,
  ),
  REQUEST_TOO_SLOW: plain(408, 'BAD_REQUEST', 'The request took too long to arrive'),
  CROSS_SITE_REFUSED: plain(403, 'CSRF_FAILED', 'Requests from pages of other sites are refused'),
  TOO_MANY_FIELDS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many parameters in one request (maximum ${countMax}).`,
  ),
  RATE_LIMIT_HIT: worded(
    429,
    'RATE_LIMIT_HIT',
    ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `API usage exceeded rate limit, try again in ${Math.ceil(retryAfterSeconds)} seconds`,
    ({ retryAfterSeconds }) => ({ 'retry-after': retryAfterSeconds }),
  ),
  OVERLOADED: plain(503, 'SERVICE_UNAVAILABLE', 'The server is overloaded, try again shortly'),
  DATABASE_UNAVAILABLE: plain(503, 'SERVICE_UNAVAILABLE', 'The database is unavailable, try again shortly'),
  DIRECTORY_UNAVAILABLE: plain(
    503,
    'DIRECTORY_UNAVAILABLE',
    "The company's directory is unavailable, try again shortly",
  ),
  INTERNAL: plain(500, 'INTERNAL_SERVER_ERROR', 'Internal server error'),
  ORGANIZATION_MISSING: badRequest('This server has no organization yet'),
  PARAMETER_MISSING: worded(
    400,
    'REQUEST_VARIABLE_MISSING',
    ({ name }: { name: string }) => `Missing '${name}' argument`,
    ({ name }) => ({ var_name: name }),
  ),
  PARAMETER_INVALID: badRequest(({ message }: { message: string }) => message),
  SHARE_SPENT: badRequest(
    ({ items, whose, countMax }: { items: string; whose: 'person' | 'organization'; countMax: number }) =>
      whose === 'organization'
        ? `The organization has too many ${items} (maximum ${countMax}).`
        : `You have added too many ${items} (maximum ${countMax}). An administrator can add more.`,
  ),
  ROLE_REQUIRED: badRequest(({ role }: { role: string }) => `Must be an organization ${role}`),
  PERMISSION_MISSING: badRequest('Insufficient permission'),
  PARAMETERS_INCOMPATIBLE: badRequest(
    ({ names }: { names: readonly string[] }) => `Unsupported parameter combination: ${names.join(', ')}`,
    ({ names }) => ({ parameters: names.join(', ') }),
  ),
  EXPECTATION_MISMATCH: plain(400, 'EXPECTATION_MISMATCH', "'old' value does not match the expected value."),
  NOTHING_TO_CHANGE: badRequest('Nothing to change'),
} satisfies ErrorCases

/** Failures of event queues. */
export const QUEUE_ERRORS = {
  QUEUE_UNKNOWN: worded(
    400,
    'BAD_EVENT_QUEUE_ID',
    ({ queueId }: { queueId: string }) => `Bad event queue ID: ${queueId}`,
    ({ queueId }) => ({ queue_id: queueId }),
  ),
  EVENT_PRUNED: badRequest(({ id }: { id: number }) => `An event newer than ${id} has already been pruned!`),
} satisfies ErrorCases

/** Failures of reading messages. */
export const PAGE_ERRORS = {
  NARROW_UNSUPPORTED: badRequest(
    ({ operator }: { operator: string }) => `Operator ${operator} not supported.`,
  ),
  NARROW_OPERAND_UNSUPPORTED: badRequest(
    ({ operand }: { operand: string }) => `Operand ${operand} not supported.`,
  ),
  NARROW_INVALID: worded(
    400,
    'BAD_NARROW',
    ({ reason }: { reason: string }) => `Invalid narrow operator: ${reason}`,
    ({ reason }) => ({ desc: reason }),
  ),
  PAGE_TOO_LONG: badRequest(
    ({ countMax }: { countMax: number }) => `Too many messages requested (maximum ${countMax}).`,
  ),
  ANCHOR_INVALID: badRequest('Invalid anchor'),
  SORT_UNAVAILABLE: badRequest('Only a search from the newest message on can be sorted by fit.'),
  ANCHOR_UNEXPECTED: badRequest('The anchor can only be omitted where message_ids are given.'),
} satisfies ErrorCases
