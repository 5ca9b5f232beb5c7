/** The schemas of SCIM's resources here (RFC 7643, 7): only what is stored, or follows from what is. */

import { ROLES } from '../../domain/entities.ts'
import type { JsonObject } from '../../domain/scim/attributes.ts'

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'
export const USER_SCHEMA = `${CORE}:User`
export const GROUP_SCHEMA = `${CORE}:Group`

export const SCHEMA_SCHEMA = `${CORE}:Schema`
export const RESOURCE_TYPE_SCHEMA = `${CORE}:ResourceType`
export const PROVIDER_SCHEMA = `${CORE}:ServiceProviderConfig`

/** The commonest characteristics of an attribute. */
function attribute(name: string, description: string, others: JsonObject = {}): JsonObject {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...others,
  }
}

const complex = (
  name: string,
  description: string,
  subAttributes: readonly JsonObject[],
  others: JsonObject = {},
) => attribute(name, description, { type: 'complex', subAttributes, ...others })

const USER: JsonObject = {
  id: USER_SCHEMA,
  name: 'User',
  description: 'A person with an account.',
  attributes: [
    attribute('userName', 'The name of the person at the provider.', {
      required: true,
      uniqueness: 'server',
    }),
    attribute('displayName', 'The full name of the account.'),
    complex(
      'name',
      'The parts of the name. The full name of the account follows from them without a displayName.',
      [
        attribute('formatted', 'The whole name.'),
        attribute('familyName', 'The family name.'),
        attribute('givenName', 'The given name.'),
      ],
    ),
    attribute('active', 'Whether the account is active.', { type: 'boolean', required: true }),
    complex(
      'emails',
      'The one address of the account. Of several the primary one counts; without any the userName, if it is an address.',
      [
        attribute('value', 'The address.', { required: true, uniqueness: 'server' }),
        attribute('type', 'Always work.', { canonicalValues: ['work'] }),
        attribute('primary', 'Always true.', { type: 'boolean' }),
      ],
      { multiValued: true, required: true },
    ),
    complex(
      'roles',
      'The role of the account; none for a member. Of several the highest counts.',
      [
        attribute('value', 'The role.', {
          required: true,
          canonicalValues: Object.keys(ROLES).filter((name) => name !== 'member'),
        }),
      ],
      { multiValued: true },
    ),
  ],
}

const GROUP: JsonObject = {
  id: GROUP_SCHEMA,
  name: 'Group',
  description: 'A user group.',
  attributes: [
    attribute('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
    complex(
      'members',
      'Its people. Bots and subgroups of the group are not shown, and stay.',
      [
        attribute('value', 'The id of the user.', { required: true, mutability: 'immutable' }),
        attribute('$ref', 'The address of the user.', {
          type: 'reference',
          referenceTypes: ['User'],
          caseExact: true,
          mutability: 'immutable',
        }),
        attribute('type', 'Always User.', { canonicalValues: ['User'], mutability: 'immutable' }),
      ],
      { multiValued: true },
    ),
  ],
}

/** The schemas, in the order of the list. */
export const SCHEMAS: readonly JsonObject[] = [USER, GROUP]

/** The types of resources, in the order of the list. */
export const RESOURCE_TYPES: readonly JsonObject[] = [
  {
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'People with an account',
    schema: USER_SCHEMA,
  },
  {
    id: 'Group',
    name: 'Group',
    endpoint: '/Groups',
    description: 'User groups, but those of the roles',
    schema: GROUP_SCHEMA,
  },
]

/** The capabilities of this server (RFC 7643, section 5). */
export const PROVIDER: JsonObject = {
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token that `admin scim token` prints, in the header Authorization.',
      primary: true,
    },
  ],
}
