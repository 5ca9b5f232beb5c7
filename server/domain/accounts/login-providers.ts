/** Providers of log-ins by OpenID Connect, as the operator describes them in one JSON value. */

import { type GroupRules, hasGroupRules, readGroupRules } from './group-rules.ts'
import { parseProviders, type ProviderSettings, readProviderSettings } from './parse-providers.ts'

/** A provider. */
export interface LoginProviderSettings extends ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The scopes of a log-in: a provider may have one that brings groups. */
  readonly scope: string
  /** The claim that lists the groups of a person; undefined if groups mean nothing here. */
  readonly groupsClaim: string | undefined
  readonly groupRules: GroupRules
}

/** Characters of a value; secrets that are signed keys are the longest. */
const VALUE_LENGTH_MAX = 2_000
const REQUIRED = ['name', 'issuer', 'client_id', 'client_secret'] as const
const OPTIONAL = ['display_name', 'icon', 'accounts', 'scope', 'groups_claim'] as const
/** Fields whose values are objects. */
const RULES = ['roles', 'user_groups'] as const
/** The scopes of a log-in unless the operator names others. */
const SCOPE = 'openid email profile'
const LOOPBACK: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']

type Field = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number]
type Fields = Readonly<Partial<Record<Field, string>> & Partial<Record<(typeof RULES)[number], unknown>>>

/** Whether requests to an address may carry secrets: they are encrypted, or stay on this machine. */
export function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname))
}

/** Reads the providers; answers a text that says why the value is invalid, without the secrets in it. */
export function parseLoginProviders(text: string): readonly LoginProviderSettings[] | string {
  return parseProviders(text, readProvider)
}

function readProvider(value: unknown): LoginProviderSettings | string {
  const fields = readFields(value)
  if (typeof fields === 'string') return fields
  const missing = REQUIRED.find((field) => fields[field] === undefined)
  if (missing !== undefined) return `must have ${missing}`
  const shared = readProviderSettings(fields)
  if (typeof shared === 'string') return shared
  const { issuer = '', client_id: clientId = '', client_secret: clientSecret = '' } = fields
  if (!isIssuer(issuer)) return 'must have an issuer that starts with https://, without query or fragment'
  const groups = readGroups(fields)
  if (typeof groups === 'string') return groups
  return { ...shared, issuer, clientId, clientSecret, ...groups }
}

/** Rules without the claim, or the claim without rules, would do nothing unnoticed. */
function readGroups({
  scope = SCOPE,
  groups_claim: groupsClaim,
  roles,
  user_groups: userGroups,
}: Fields): Pick<LoginProviderSettings, 'scope' | 'groupsClaim' | 'groupRules'> | string {
  if (!scope.split(' ').includes('openid')) return 'must have openid in its scope'
  const groupRules = readGroupRules(roles, userGroups)
  if (typeof groupRules === 'string') return groupRules
  if (hasGroupRules(groupRules) !== (groupsClaim !== undefined))
    return 'must have groups_claim together with roles or user_groups'
  return { scope, groupsClaim, groupRules }
}

function readFields(value: unknown): Fields | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object'
  for (const [key, one] of Object.entries(value)) {
    if (RULES.some((field) => field === key)) continue
    if (![...REQUIRED, ...OPTIONAL].some((field) => field === key)) return `must not have '${key}'`
    if (typeof one !== 'string' || one === '' || one.length > VALUE_LENGTH_MAX)
      return `must have a text of 1 to ${VALUE_LENGTH_MAX} characters as ${key}`
  }
  return value
}

/** Plain `http:` is for a provider on this machine: the answers decide who is logged in. */
function isIssuer(text: string): boolean {
  if (!isSafeAddress(text)) return false
  const { username, password, search, hash } = new URL(text)
  return username === '' && password === '' && search === '' && hash === ''
}
