/** `GET /server_settings`: the data that a client needs before it logs in. */

import { organizationIconUrl } from '../../../views/organization-icon.ts'
import { operation } from '../../operation.ts'
import { valuesOf } from '../../registration/state-part.ts'
import { VERSION_FIELDS } from '../../registration/version.ts'
import { BOOLEAN, EMPTY_LIST, mapOf, STRING } from '../../../domain/json-schema.ts'

/** The ways to log in by name; only passwords are enabled. */
const AUTHENTICATION_METHODS = {
  password: true,
  dev: false,
  email: true,
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  apple: false,
  google: false,
  saml: false,
  'openid connect': false,
}

export const getServerSettings = operation({
  method: 'GET',
  path: '/server_settings',
  summary: 'Get server settings',
  description: 'The data that a client needs before it logs in. Needs no credentials, and ignores any.',
  access: 'anyone',
  params: {},
  reply: {
    authentication_methods: { schema: mapOf(BOOLEAN), description: 'The ways to log in, by name.' },
    external_authentication_methods: {
      schema: EMPTY_LIST,
      description: 'Log-ins by other services: none.',
    },
    ...VERSION_FIELDS,
    push_notifications_enabled: { schema: BOOLEAN, description: 'Whether mobile notifications are set up.' },
    is_incompatible: { schema: BOOLEAN, description: 'Whether the calling client is too old.' },
    email_auth_enabled: {
      schema: BOOLEAN,
      description: 'Whether users can log in with email address and password.',
    },
    require_email_format_usernames: {
      schema: BOOLEAN,
      description: 'Whether user names are email addresses.',
    },
    realm_url: { schema: STRING, description: 'The address of the organization.' },
    realm_uri: { schema: STRING, description: 'The same, under its older name.' },
    realm_name: { schema: STRING, description: 'The name of the organization.' },
    realm_icon: { schema: STRING, description: 'The address of its icon.' },
    realm_description: { schema: STRING, description: 'Its description, in HTML.' },
    realm_web_public_access_enabled: {
      schema: BOOLEAN,
      description: 'Whether some channels are public on the web.',
    },
  },
  errors: [],
  events: [],
  run: ({ services: { state, names, publicUrl, hasPushRelay, hasDevelopmentLogins } }) =>
    names.addAliases({
      authentication_methods: { ...AUTHENTICATION_METHODS, dev: hasDevelopmentLogins },
      external_authentication_methods: [],
      ...valuesOf(VERSION_FIELDS),
      push_notifications_enabled: hasPushRelay,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_url: publicUrl,
      realm_uri: publicUrl,
      realm_name: state.organization?.name ?? '',
      realm_icon: organizationIconUrl(publicUrl),
      realm_description: state.organization?.renderedDescription ?? '',
      realm_web_public_access_enabled: false,
    }),
})
