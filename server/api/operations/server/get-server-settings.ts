/** `GET /server_settings`: the data that a client needs before it logs in. */

import { organizationPictureUrl } from '../../../views/organization-pictures-view.ts'
import type { LoginProviderSettings } from '../../../domain/accounts/login-providers.ts'
import { LOG_IN_PAGE_PATH, providerLoginPath, samlPath } from '../../provider-paths.ts'
import { pushesToPhones } from '../../pushes-to-phones.ts'
import { hasVisitors } from '../../door/has-visitors.ts'
import { isExposedDemo } from '../../is-exposed-demo.ts'
import { operation } from '../../operation.ts'
import { VERSION } from '../../../measures/version.ts'
import { ADDRESS_FIELDS, viewAddress } from '../../registration/address.ts'
import { valuesOf } from '../../registration/state-part.ts'
import { VERSION_FIELDS } from '../../registration/version.ts'
import {
  arrayOf,
  BOOLEAN,
  describe,
  mapOf,
  orNull,
  record,
  STRING,
  type ValueOf,
} from '../../../domain/json-schema.ts'

/** The ways to log in by name; the operator adds providers. */
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

const EXTERNAL_METHOD = record({
  name: describe(STRING, 'Its name, for this server alone.'),
  display_name: describe(STRING, 'Its name for people.'),
  display_icon: describe(orNull(STRING), 'The address of a picture, or null.'),
  login_url: describe(STRING, 'The page at which a browser begins, under the address of the organization.'),
  signup_url: describe(STRING, 'The same page: it makes accounts for people who may have one.'),
})

/**
 * Our own page, for apps: it takes second factors and passkeys, which they cannot ask for. The browser client has both
 * itself.
 */
const BROWSER_METHOD: ValueOf<typeof EXTERNAL_METHOD> = {
  name: 'browser',
  display_name: 'your browser',
  display_icon: null,
  login_url: LOG_IN_PAGE_PATH,
  signup_url: LOG_IN_PAGE_PATH,
}

function externalMethod(
  { displayName, icon }: Pick<LoginProviderSettings, 'displayName' | 'icon'>,
  name: string,
  path: string,
): ValueOf<typeof EXTERNAL_METHOD> {
  return { name, display_name: displayName, display_icon: icon, login_url: path, signup_url: path }
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
      schema: arrayOf(EXTERNAL_METHOD),
      description:
        'Log-ins by other services, in the order of their buttons; and `browser`, for apps: the log-in page of this server.',
    },
    ...VERSION_FIELDS,
    parley_version: { schema: STRING, description: 'The version of this server, by semantic versioning.' },
    push_notifications_enabled: { schema: BOOLEAN, description: 'Whether messages are pushed to phones.' },
    is_incompatible: { schema: BOOLEAN, description: 'Whether the calling client is too old.' },
    email_auth_enabled: {
      schema: BOOLEAN,
      description: 'Whether users can log in with email address and password.',
    },
    require_email_format_usernames: {
      schema: BOOLEAN,
      description: 'Whether user names are email addresses; false if names of a directory count, too.',
    },
    ...ADDRESS_FIELDS,
    realm_name: { schema: STRING, description: 'The name of the organization.' },
    realm_icon: { schema: STRING, description: 'The address of its icon.' },
    realm_description: { schema: STRING, description: 'Its description, in HTML.' },
    realm_web_public_access_enabled: {
      schema: BOOLEAN,
      description: 'Whether web-public channels can be read without an account.',
    },
    is_exposed_demo: {
      schema: BOOLEAN,
      description: 'True for a demo organization on a public address; left out otherwise.',
      isOptional: true,
    },
  },
  errors: [],
  events: [],
  async run({ services }) {
    const { state, names, publicUrl, hasDevelopmentLogins, loginProviders, samlProviders } = services
    const { hasWebPublicChannels, directory } = services
    return names.addAliases({
      authentication_methods: {
        ...AUTHENTICATION_METHODS,
        dev: hasDevelopmentLogins,
        ldap: directory !== undefined,
        saml: samlProviders.length > 0,
        'openid connect': loginProviders.length > 0,
      },
      external_authentication_methods: [
        ...loginProviders.map(({ settings }) =>
          externalMethod(settings, `oidc:${settings.name}`, providerLoginPath(settings.name)),
        ),
        ...samlProviders.map(({ settings }) =>
          externalMethod(settings, `saml:${settings.name}`, samlPath(settings.name)),
        ),
        BROWSER_METHOD,
      ],
      ...valuesOf(VERSION_FIELDS),
      parley_version: VERSION,
      push_notifications_enabled: pushesToPhones(services),
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: directory === undefined,
      ...viewAddress(publicUrl),
      realm_name: state.organization?.name ?? '',
      realm_icon: organizationPictureUrl(state.pictures, 'icon'),
      realm_description: state.organization?.renderedDescription ?? '',
      realm_web_public_access_enabled: hasVisitors(state, hasWebPublicChannels),
      ...(isExposedDemo(services) ? { is_exposed_demo: true } : {}),
    })
  },
})
