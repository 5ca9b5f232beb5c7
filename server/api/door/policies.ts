/** Policies of the carriers: the callers that each admits, and the limits that count them. */

import { SCIM_PATH } from '../../domain/scim/attributes.ts'

/** The callers that a carrier admits, and the limits that count them. */
export interface Policy {
  /** The method and path for the audit log; pages have none. */
  readonly method?: string
  readonly path?: string
  /** Whether the caller needs an account. `visitor`: only where the organization does not allow visitors. */
  readonly access: 'anyone' | 'visitor' | 'user'
  /** Requests that wait rather than work are not counted; wrong credentials always are. */
  readonly isUncounted?: true
  /** The limit that counts it instead of that of operations. */
  readonly counts?: 'pages' | 'documents'
  /** Log-ins have a limit of their own, against guessing. */
  readonly isLogin?: true
  /** Counted by `countLater` if it sends less than it announced; refused at once if the limit is spent. */
  readonly isCountedLater?: boolean
  /** Incoming webhooks may call only these operations. */
  readonly isForWebhooks?: true
  /** The caller is the bot whose key the address has. */
  readonly takesWebhook?: true
  /** The caller has an API key as bearer token, for the whole exchange; pages of other origins are refused. */
  readonly takesBearer?: true
  /** Whether it works without the second factor that the organization requires: to set one up, or to log out. */
  readonly needsNoFactor?: true
  /** Whether it works before the organization exists. */
  readonly needsNoOrganization?: true
  /** Whether the request itself proves that no other site sent it, so that a session needs no token. */
  readonly needsNoToken?: boolean
  /** Links of other sites may lead there; a session is refused to other requests that start elsewhere. */
  readonly admitsLinks?: true
  /** Another site sends it by design, and what it sends proves itself: a session of the browser has no part in it. */
  readonly isFromPartner?: true
  /** The limit that counts answers of 404: each lookup costs a query. */
  readonly misses?: 'address' | 'pictures'
}

/** Files for users and visitors, files by secret addresses, and pictures, whose addresses are public. */
export const FILE_POLICY: Policy = {
  method: 'GET',
  path: '/user_uploads',
  access: 'visitor',
  misses: 'address',
  admitsLinks: true,
}
export const SECRET_ADDRESS_POLICY: Policy = { access: 'anyone', counts: 'pages', misses: 'address' }
export const PICTURE_POLICY: Policy = {
  access: 'anyone',
  counts: 'pages',
  needsNoOrganization: true,
  misses: 'pictures',
}
/** Pages and files of the client, and large documents about the API, which people read seldom. */
export const PAGE_POLICY: Policy = { access: 'anyone', counts: 'pages', needsNoOrganization: true }
export const DOCUMENT_POLICY: Policy = { access: 'anyone', counts: 'documents', needsNoOrganization: true }
/** A form that is viewed, and a form that is submitted: its values may be guesses. */
export const FORM_POLICY: Policy = { access: 'anyone' }
export const SENT_FORM_POLICY: Policy = { access: 'anyone', isLogin: true }
/** The answer of a provider of log-ins, which a browser posts for it. */
export const PARTNER_FORM_POLICY: Policy = { access: 'anyone', isLogin: true, isFromPartner: true }
export const STREAM_POLICY = {
  method: 'GET',
  path: '/events/stream',
  access: 'user',
} as const satisfies Policy
/** Agents, by the Model Context Protocol: what they do is counted as operations. */
export const AGENT_POLICY = {
  method: 'POST',
  path: '/mcp',
  access: 'user',
  takesBearer: true,
  isCountedLater: true,
} as const satisfies Policy
/** The company's provider of identities, by SCIM; `Exchange` admits it by its token. */
export const SCIM_OPERATION = { method: 'POST', path: SCIM_PATH } as const
export function isScimPath(path: string): boolean {
  return path === SCIM_OPERATION.path || path.startsWith(`${SCIM_OPERATION.path}/`)
}
/** The programs of agents that log in: they have no credentials yet, and a code or a token proves itself. */
export const PROGRAM_POLICY: Policy = { access: 'anyone' }
/** Browsers request these by themselves, without credentials. */
export const DESCRIPTION_POLICY: Policy = { access: 'anyone', needsNoOrganization: true }
