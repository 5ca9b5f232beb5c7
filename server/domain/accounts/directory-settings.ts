/** The company's directory (LDAP), as the operator describes it in the settings `LDAP_…`. */

import { type GroupRules, readGroupRules } from './group-rules.ts'
import type { AccountPolicy } from './parse-providers.ts'

/** The directory that people log in with. */
export interface DirectorySettings {
  readonly host: string
  readonly port: number
  /** TLS from the first byte, TLS after a request for it, or none: on this machine only. */
  readonly security: 'tls' | 'starttls' | 'none'
  /** A file of certificates in PEM that are trusted instead of those of the system. */
  readonly caFile: string | undefined
  /** The account that searches; undefined for an anonymous search. */
  readonly account: { readonly dn: string; readonly password: string } | undefined
  readonly base: string
  /** With `{login}` for the name that a person enters. */
  readonly filter: string
  /** Attributes, tried in order. */
  readonly emailAttributes: readonly string[]
  readonly nameAttributes: readonly string[]
  readonly idAttributes: readonly string[]
  /** By the normalized names of groups. */
  readonly groupRules: GroupRules
  readonly accounts: AccountPolicy
}

/** The directory among the issuers of log-ins: another base is another directory. */
export function issuerOf({ base }: Pick<DirectorySettings, 'base'>): string {
  return `ldap:${normalizeName(base)}`
}

/** The settings as texts. */
export interface GivenDirectory {
  readonly url: string
  readonly startTls: string | undefined
  readonly caFile: string | undefined
  readonly bindDn: string | undefined
  readonly bindPassword: string | undefined
  readonly base: string | undefined
  readonly filter: string
  readonly emailAttributes: string
  readonly nameAttributes: string
  readonly idAttributes: string
  readonly roles: string | undefined
  readonly userGroups: string | undefined
  readonly accounts: AccountPolicy
}

/** Stands in a filter for the name that a person enters. */
export const LOGIN_PLACEHOLDER = '{login}'
/** Attributes in one setting: the search asks for all of them. */
const ATTRIBUTES_MAX = 10
/** A name of an attribute by RFC 4512, or a numeric id, perhaps with options such as `;lang-de`. */
const ATTRIBUTE = /^[A-Za-z0-9][A-Za-z0-9.-]{0,99}(;[A-Za-z0-9-]{1,50})*$/
const PORTS = { 'ldap:': 389, 'ldaps:': 636 } as const
const LOOPBACK: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']

/** Reads the settings; answers a text that begins with the wrong one and says why, without secrets. */
export function readDirectory(given: GivenDirectory): DirectorySettings | string {
  const place = readPlace(given)
  if (typeof place === 'string') return place
  const { bindDn, bindPassword, base, filter } = given
  if (base === undefined) return 'LDAP_BASE must be set where LDAP_URL is'
  // A bind with a name and no password succeeds in many directories, as nobody.
  if ((bindDn === undefined) !== (bindPassword === undefined))
    return 'LDAP_BIND_DN and LDAP_BIND_PASSWORD must be set together'
  if (!filter.includes(LOGIN_PLACEHOLDER) || !isBalanced(filter))
    return `LDAP_FILTER must be a filter such as (mail=${LOGIN_PLACEHOLDER}), with ${LOGIN_PLACEHOLDER} for the name that people enter`
  const emailAttributes = readAttributes('LDAP_EMAIL', given.emailAttributes)
  const nameAttributes = readAttributes('LDAP_NAME', given.nameAttributes)
  const idAttributes = readAttributes('LDAP_ID', given.idAttributes)
  for (const one of [emailAttributes, nameAttributes, idAttributes]) if (typeof one === 'string') return one
  const groupRules = readRules(given)
  if (typeof groupRules === 'string') return groupRules
  return {
    ...place,
    caFile: given.caFile,
    account:
      bindDn === undefined || bindPassword === undefined ? undefined : { dn: bindDn, password: bindPassword },
    base,
    filter,
    emailAttributes: emailAttributes as readonly string[],
    nameAttributes: nameAttributes as readonly string[],
    idAttributes: idAttributes as readonly string[],
    groupRules,
    accounts: given.accounts,
  }
}

function readPlace({
  url: text,
  startTls,
}: GivenDirectory): Pick<DirectorySettings, 'host' | 'port' | 'security'> | string {
  const wrong = 'LDAP_URL must be an address such as ldaps://ldap.example.com, without path or credentials'
  if (!URL.canParse(text)) return wrong
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  if (protocol !== 'ldap:' && protocol !== 'ldaps:') return wrong
  const rest = username + password + search + hash + pathname.replace('/', '')
  if (hostname === '' || rest !== '') return wrong
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const place = { host, port: port === '' ? PORTS[protocol] : Number(port) }
  if (protocol === 'ldaps:')
    return startTls === 'on' ? 'LDAP_STARTTLS is for ldap://' : { ...place, security: 'tls' }
  const isHere = LOOPBACK.includes(hostname)
  if (startTls === 'off' && !isHere)
    return 'LDAP_STARTTLS=off is for a directory on this machine: passwords must be encrypted elsewhere'
  return { ...place, security: (startTls ?? (isHere ? 'off' : 'on')) === 'on' ? 'starttls' : 'none' }
}

function readAttributes(setting: string, text: string): readonly string[] | string {
  const names = text.split(',').map((name) => name.trim())
  if (names.length > ATTRIBUTES_MAX || names.some((name) => !ATTRIBUTE.test(name)))
    return `${setting} must be one to ${ATTRIBUTES_MAX} names of attributes, such as mail`
  return names
}

function readRules({ roles, userGroups }: GivenDirectory): GroupRules | string {
  const objects: unknown[] = []
  for (const [setting, text] of Object.entries({ LDAP_ROLES: roles, LDAP_USER_GROUPS: userGroups })) {
    try {
      objects.push(text === undefined ? {} : JSON.parse(text))
    } catch {
      return `${setting} must be valid JSON`
    }
  }
  const rules = readGroupRules(...objects)
  if (typeof rules === 'string') return `LDAP_ROLES or LDAP_USER_GROUPS ${rules}`
  const normalize = <Value>(values: ReadonlyMap<string, Value>) =>
    new Map([...values].map(([name, value]) => [normalizeName(name), value]))
  return { roles: normalize(rules.roles), userGroups: normalize(rules.userGroups) }
}

/**
 * A distinguished name as it is compared: directories do not tell letters apart by case, nor count spaces at commas, and
 * escape a letter by itself or by its bytes (RFC 4514, 2.4).
 */
export function normalizeName(name: string): string {
  return name
    .replaceAll(/(?:\\[0-9A-Fa-f]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll('\\', ''), 'hex')
        .toString('utf8')
        .replaceAll(/[,+"\\<>;= #]/g, String.raw`\$&`),
    )
    .toLowerCase()
    .replaceAll(/(?<!\\)\s*(?<!\\)([,=+])\s*/g, '$1')
    .trim()
}

/** The entry above all of these normalized names; undefined if they have none in common. */
export function commonParent(names: readonly string[]): string | undefined {
  const [first, ...others] = names.map((name) =>
    name
      .split(/(?<!\\),/)
      .slice(1)
      .toReversed(),
  )
  if (!first) return undefined
  const differs = first.findIndex((part, index) => others.some((parts) => parts[index] !== part))
  const common = differs < 0 ? first : first.slice(0, differs)
  return common.length === 0 ? undefined : common.toReversed().join(',')
}

/** Whether a text has the outer form of a filter; the check of the settings asks the directory for the rest. */
function isBalanced(filter: string): boolean {
  let depth = 0
  for (let index = 0; index < filter.length; index++) {
    const letter = filter[index]
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (depth <= 0 && index < filter.length - 1) return false
  }
  return depth === 0 && filter.startsWith('(')
}
