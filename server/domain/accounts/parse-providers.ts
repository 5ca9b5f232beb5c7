/** The common part of providers of log-ins, which an operator describes in a JSON list. */

/** The people who get an account by their first log-in, besides those with an invitation. */
export const ACCOUNT_POLICIES = ['invited', 'domains', 'anyone'] as const
export type AccountPolicy = (typeof ACCOUNT_POLICIES)[number]

/** The fields that each provider has. */
export interface ProviderSettings {
  /** Its part of addresses. */
  readonly name: string
  /** Its name for people. */
  readonly displayName: string
  /** The address of a picture for clients, or null. */
  readonly icon: string | null
  readonly accounts: AccountPolicy
}

/** The texts of these fields in the JSON of an operator. */
interface ProviderTexts {
  readonly name?: string
  readonly display_name?: string
  readonly icon?: string
  readonly accounts?: string
}

/** Providers: a log-in page with more would be a list to search. */
const PROVIDERS_MAX = 20
/** Characters of a display name: it is the text of a button. */
const DISPLAY_NAME_LENGTH_MAX = 60
const NAME = /^[a-z][a-z0-9-]{0,29}$/

/** Reads a list of providers; answers a text that says why the value is invalid. */
export function parseProviders<Provider extends ProviderSettings>(
  text: string,
  readProvider: (value: unknown) => Provider | string,
): readonly Provider[] | string {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return 'must be valid JSON'
  }
  if (!Array.isArray(list) || list.length > PROVIDERS_MAX)
    return `must be a JSON list of at most ${PROVIDERS_MAX} providers`
  const providers: Provider[] = []
  for (const [index, value] of list.entries()) {
    const provider = readProvider(value)
    if (typeof provider === 'string') return `${provider} (provider ${index + 1})`
    if (providers.some(({ name }) => name === provider.name))
      return `must not have two providers of the name ${provider.name}`
    providers.push(provider)
  }
  return providers
}

/** Reads the fields that each provider has; answers a text that says what is wrong with them. */
export function readProviderSettings({
  name = '',
  display_name: displayName = name,
  icon,
  accounts = 'invited',
}: ProviderTexts): ProviderSettings | string {
  if (!NAME.test(name)) return 'must have a name of lower-case letters, digits and hyphens'
  if (displayName.length > DISPLAY_NAME_LENGTH_MAX)
    return `must have a display_name of at most ${DISPLAY_NAME_LENGTH_MAX} characters`
  const policy = ACCOUNT_POLICIES.find((one) => one === accounts)
  if (policy === undefined) return `must have one of ${ACCOUNT_POLICIES.join(', ')} as accounts`
  if (icon !== undefined && !isPicture(icon)) return 'must have an icon that starts with https://'
  return { name, displayName, icon: icon ?? null, accounts: policy }
}

function isPicture(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:'
}
