/** Providers of log-ins by SAML 2.0, as the operator describes them in one JSON value. */

import { type GroupRules, hasGroupRules, readGroupRules } from './group-rules.ts'
import { isSafeAddress } from './login-providers.ts'
import { parseProviders, type ProviderSettings, readProviderSettings } from './parse-providers.ts'

/** A provider. */
export interface SamlProviderSettings extends ProviderSettings {
  /** Its name among identity providers: its entity id. */
  readonly entityId: string
  /** The address at which people log in there. */
  readonly url: string
  /** Certificates of its signatures, in PEM: two while it changes from one to the next. */
  readonly certificates: readonly string[]
  /** Attributes, tried in order. */
  readonly emailAttributes: readonly string[]
  readonly nameAttributes: readonly string[]
  /** The attribute with an id that never changes; undefined for the name id. */
  readonly idAttribute: string | undefined
  readonly groupsAttribute: string | undefined
  readonly groupRules: GroupRules
}

const CERTIFICATES_MAX = 5
const ATTRIBUTES_MAX = 10
/** Characters of a text; certificates are the longest. */
const TEXT_LENGTH_MAX = 10_000

const TEXTS = ['name', 'entity_id', 'url', 'display_name', 'icon', 'accounts', 'id', 'groups'] as const
const LISTS = ['certificates', 'email', 'full_name'] as const
const RULES = ['roles', 'user_groups'] as const
const REQUIRED = ['name', 'entity_id', 'url', 'certificates'] as const

/** The names of addresses and of names at the commonest providers. */
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]
const NAME_ATTRIBUTES = [
  'displayName',
  'full_name',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
]

interface Fields {
  readonly texts: Readonly<Partial<Record<(typeof TEXTS)[number], string>>>
  readonly lists: Readonly<Partial<Record<(typeof LISTS)[number], readonly string[]>>>
  readonly rules: Readonly<Partial<Record<(typeof RULES)[number], unknown>>>
}

/** Reads the providers; answers a text that says why the value is invalid. */
export function parseSamlProviders(text: string): readonly SamlProviderSettings[] | string {
  return parseProviders(text, readProvider)
}

function readProvider(value: unknown): SamlProviderSettings | string {
  const fields = readFields(value)
  if (typeof fields === 'string') return fields
  const shared = readProviderSettings(fields.texts)
  if (typeof shared === 'string') return shared
  const { entity_id: entityId = '', url = '', id, groups } = fields.texts
  if (!isSafeAddress(url)) return 'must have a url that starts with https://'
  const certificates = readCertificates(fields.lists.certificates ?? [])
  if (typeof certificates === 'string') return certificates
  const groupRules = readGroupRules(fields.rules.roles, fields.rules.user_groups)
  if (typeof groupRules === 'string') return groupRules
  if (hasGroupRules(groupRules) !== (groups !== undefined))
    return 'must have groups together with roles or user_groups'
  return {
    ...shared,
    entityId,
    url,
    certificates,
    emailAttributes: fields.lists.email ?? EMAIL_ATTRIBUTES,
    nameAttributes: fields.lists.full_name ?? NAME_ATTRIBUTES,
    idAttribute: id,
    groupsAttribute: groups,
    groupRules,
  }
}

function readFields(value: unknown): Fields | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object'
  const [texts, lists, rules] = [
    new Map<string, string>(),
    new Map<string, string[]>(),
    new Map<string, unknown>(),
  ]
  for (const [key, one] of Object.entries(value)) {
    if (RULES.some((field) => field === key)) rules.set(key, one)
    else if (TEXTS.some((field) => field === key)) {
      if (!isText(one)) return `must have a text of 1 to ${TEXT_LENGTH_MAX} characters as ${key}`
      texts.set(key, one)
    } else if (LISTS.some((field) => field === key)) {
      const list: unknown = typeof one === 'string' ? [one] : one
      if (!Array.isArray(list) || list.length === 0 || list.length > ATTRIBUTES_MAX || !list.every(isText))
        return `must have a list of 1 to ${ATTRIBUTES_MAX} texts as ${key}`
      lists.set(key, list)
    } else return `must not have '${key}'`
  }
  const missing = REQUIRED.find((field) => !texts.has(field) && !lists.has(field))
  if (missing !== undefined) return `must have ${missing}`
  return {
    texts: Object.fromEntries(texts),
    lists: Object.fromEntries(lists),
    rules: Object.fromEntries(rules),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= TEXT_LENGTH_MAX
}

/** Certificates in PEM, or the base64 within it, as descriptions of providers have it. */
function readCertificates(texts: readonly string[]): readonly string[] | string {
  if (texts.length > CERTIFICATES_MAX) return `must have at most ${CERTIFICATES_MAX} certificates`
  const certificates: string[] = []
  for (const text of texts) {
    const body = text.replaceAll(/-----(BEGIN|END) CERTIFICATE-----|\s/g, '')
    if (!/^[A-Za-z0-9+/]{100,}={0,2}$/.test(body)) return 'must have certificates in PEM'
    const lines = body.match(/.{1,64}/g) ?? []
    certificates.push(`-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`)
  }
  return certificates
}
