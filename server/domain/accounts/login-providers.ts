/** Providers of log-ins by OpenID Connect, as the operator describes them in one JSON value. */

import { type GroupRules, hasGroupRules, readGroupRules } from './group-rules.ts'

/** The people who get an account by their first log-in, besides those with an invitation. */
export const ACCOUNT_POLICIES = ['invited', 'domains', 'anyone'] as const
export type AccountPolicy = (typeof ACCOUNT_POLICIES)[number]

/** A provider. */
export interface LoginProviderSettings {
  /** Its part of addresses. */
  readonly name: string
  /** Its name for people. */
  readonly displayName: string
  /** The address of a picture for clients, or null. */
  readonly icon: string | null
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly accounts: AccountPolicy
  /** The scopes of a log-in: a provider may have one that brings groups. */
  readonly scope: string
  /** The claim that lists the groups of a person; undefined if groups mean nothing here. */
  readonly groupsClaim: string | undefined
  readonly groupRules: GroupRules
}

/** Providers: a log-in page with more would be a list to search. */
const PROVIDERS_MAX = 20
/** Characters of a display name: it is the text of a button. */
const DISPLAY_NAME_LENGTH_MAX = 60
/** Characters of any other value; secrets that are signed keys are the longest. */
const VALUE_LENGTH_MAX = 2_000
const NAME = /^[a-z][a-z0-9-]{0,29}$/
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
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return 'must be valid JSON'
  }
  if (!Array.isArray(list) || list.length > PROVIDERS_MAX)
    return `must be a JSON list of at most ${PROVIDERS_MAX} providers`
  const providers: LoginProviderSettings[] = []
  for (const [index, value] of list.entries()) {
    const provider = readProvider(value)
    if (typeof provider === 'string') return `${provider} (provider ${index + 1})`
    if (providers.some(({ name }) => name === provider.name))
      return `must not have two providers of the name ${provider.name}`
    providers.push(provider)
  }
  return providers
}

function readProvider(value: unknown): LoginProviderSettings | string {
  const fields = readFields(value)
  if (typeof fields === 'string') return fields
  const missing = REQUIRED.find((field) => fields[field] === undefined)
  if (missing !== undefined) return `must have ${missing}`
  const { name = '', issuer = '', client_id: clientId = '', client_secret: clientSecret = '' } = fields
  const { display_name: displayName = name, icon, accounts = 'invited' } = fields
  if (!NAME.test(name)) return 'must have a name of lower-case letters, digits and hyphens'
  if (displayName.length > DISPLAY_NAME_LENGTH_MAX)
    return `must have a display_name of at most ${DISPLAY_NAME_LENGTH_MAX} characters`
  const policy = ACCOUNT_POLICIES.find((one) => one === accounts)
  if (policy === undefined) return `must have one of ${ACCOUNT_POLICIES.join(', ')} as accounts`
  if (!isIssuer(issuer)) return 'must have an issuer that starts with https://, without query or fragment'
  if (icon !== undefined && !isPicture(icon)) return 'must have an icon that starts with https://'
  const groups = readGroups(fields)
  if (typeof groups === 'string') return groups
  return {
    name,
    displayName,
    icon: icon ?? null,
    issuer,
    clientId,
    clientSecret,
    accounts: policy,
    ...groups,
  }
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

function isPicture(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:'
}
