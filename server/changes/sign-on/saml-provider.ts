/**
 * A provider of log-ins by SAML 2.0. Response and assertion must both be signed; the library checks the signatures, the
 * audience and the times, and reads only what they cover.
 */

import { createHash } from 'node:crypto'
import type { Profile, SAML } from '@node-saml/node-saml'
import type { SamlProviderSettings } from '../../domain/accounts/saml-providers.ts'
import { isEmailAddress } from '../../domain/users/email-addresses.ts'
import type { Identity } from './apply-identity.ts'
import { LoginRefusedError } from './login-provider.ts'

/** Milliseconds by which the clocks of the two servers may differ. */
const CLOCK_SKEW_MS_MAX = 60_000
/** Milliseconds after which an assertion is too old, whatever it says itself. */
const ASSERTION_AGE_MS_MAX = 600_000
/** Characters of a response in base64. */
const RESPONSE_LENGTH_MAX = 60_000
/** Characters of an id or a value that are looked at. */
const ID_LENGTH_MAX = 255
const VALUE_LENGTH_MAX = 1_000
/** The way of confirmation of log-ins by browsers. */
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
/** A name id that is another one at each log-in. */
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/** The fields that a browser posts, by the standard. */
export const SAML_FIELDS = { answer: 'SAMLResponse', state: 'RelayState' } as const

/** The addresses of this server for one provider. */
export interface SamlAddresses {
  /** Its name among service providers, where its description is. */
  readonly entityId: string
  /** The address to which the provider sends answers. */
  readonly answerUrl: string
}

/** One provider. Its library is loaded at the first log-in. */
export class SamlProvider {
  readonly settings: SamlProviderSettings

  constructor(settings: SamlProviderSettings) {
    this.settings = settings
  }

  /** The address at which a person logs in; the provider sends the state back with its answer. */
  async authorizationUrl(state: string, addresses: SamlAddresses): Promise<string> {
    const saml = await this.#open(state, addresses)
    return saml.getAuthorizeUrlAsync(state, undefined, {})
  }

  /** The description of this server for the provider, in XML. */
  async describe(addresses: SamlAddresses): Promise<string> {
    const saml = await this.#open('', addresses)
    return saml.generateServiceProviderMetadata(null, null)
  }

  /** The person of an answer to the request with a state. Throws a `LoginRefusedError` for any other. */
  async identify(response: string, state: string, addresses: SamlAddresses): Promise<Identity> {
    // The library reads document types, and could be made to expand entities; signed answers have none.
    const xml = Buffer.from(response, 'base64').toString('utf8')
    if (response.length > RESPONSE_LENGTH_MAX || /<!(DOCTYPE|ENTITY)/i.test(xml))
      throw new LoginRefusedError('the answer is too long, or has a document type')
    const saml = await this.#open(state, addresses)
    let profile: Profile | null
    try {
      profile = (await saml.validatePostResponseAsync({ SAMLResponse: response })).profile
    } catch (error) {
      throw new LoginRefusedError('the answer is not valid', { cause: error })
    }
    if (!profile || profile.issuer !== this.settings.entityId)
      throw new LoginRefusedError('the answer is of another provider')
    if (!isConfirmed(profile, requestIdOf(state), addresses))
      throw new LoginRefusedError('the answer is not confirmed for this request')
    return this.#readIdentity(profile)
  }

  #readIdentity(profile: Profile): Identity {
    const { settings } = this
    const textsOf = (name: string): readonly string[] => {
      const value = Object.hasOwn(profile, name) ? profile[name] : undefined
      const list: readonly unknown[] = Array.isArray(value) ? value : [value]
      return list.filter((one) => typeof one === 'string').map((one) => one.trim())
    }
    const first = (names: readonly string[]) =>
      names.flatMap(textsOf).find((text) => text !== '' && text.length <= VALUE_LENGTH_MAX)
    const { idAttribute, groupsAttribute, groupRules, emailAttributes } = settings
    const isTransient = profile.nameIDFormat === TRANSIENT
    const [id] = idAttribute === undefined ? [isTransient ? '' : profile.nameID] : textsOf(idAttribute)
    if (typeof id !== 'string' || id === '' || id.length > ID_LENGTH_MAX || /\p{Cc}/u.test(id))
      throw new LoginRefusedError('the answer has no id that stays')
    const email = first(emailAttributes) ?? profile.nameID
    const known = new Set([...groupRules.roles.keys(), ...groupRules.userGroups.keys()])
    const groups =
      groupsAttribute === undefined || !Object.hasOwn(profile, groupsAttribute)
        ? undefined
        : textsOf(groupsAttribute).filter((group) => known.has(group))
    return {
      issuer: `saml:${settings.entityId}`,
      subject: id,
      email: isEmailAddress(email) ? email : undefined,
      fullName: first(settings.nameAttributes),
      groups,
    }
  }

  /** The library for one request, whose id follows from its state: only the answer to that request is taken. */
  async #open(state: string, { entityId, answerUrl }: SamlAddresses): Promise<SAML> {
    const { SAML: Library, ValidateInResponseTo } = await import('@node-saml/node-saml')
    const id = requestIdOf(state)
    const { url, certificates, entityId: idpIssuer } = this.settings
    return new Library({
      entryPoint: url,
      idpCert: [...certificates],
      idpIssuer,
      issuer: entityId,
      audience: entityId,
      callbackUrl: answerUrl,
      wantAuthnResponseSigned: true,
      wantAssertionsSigned: true,
      signatureAlgorithm: 'sha256',
      identifierFormat: null,
      // Providers decide how people log in; some refuse requests that name a way.
      disableRequestedAuthnContext: true,
      acceptedClockSkewMs: CLOCK_SKEW_MS_MAX,
      maxAssertionAgeMs: ASSERTION_AGE_MS_MAX,
      validateInResponseTo: ValidateInResponseTo.always,
      generateUniqueId: () => id,
      // The state is a ticket in the database, which is redeemed once: nothing else needs to be stored.
      cacheProvider: {
        saveAsync: async (_, value) => ({ value, createdAt: Date.now() }),
        getAsync: async (key) => (key === id ? new Date().toISOString() : null),
        removeAsync: async (key) => key,
      },
    })
  }
}

/** Ids of XML begin with a letter or an underscore. */
function requestIdOf(state: string): string {
  return `_${createHash('sha256').update(state).digest('hex')}`
}

/** The parts of a signed assertion, as the library parses it. */
interface ParsedAssertion {
  readonly Assertion?: {
    readonly Subject?: readonly { readonly SubjectConfirmation?: readonly ParsedConfirmation[] }[]
  }
}
interface ParsedConfirmation {
  readonly $?: Readonly<Record<string, string>>
  readonly SubjectConfirmationData?: readonly { readonly $?: Readonly<Record<string, string>> }[]
}

/** Whether the assertion counts for its bearer, here, for this request and for now. The library takes some that do not say. */
function isConfirmed(profile: Profile, requestId: string, { answerUrl }: SamlAddresses): boolean {
  const { Assertion: assertion } = (profile.getAssertion?.() ?? {}) as ParsedAssertion
  const confirmations = assertion?.Subject?.flatMap((one) => one.SubjectConfirmation ?? []) ?? []
  return confirmations.some((one) => {
    const data = one.SubjectConfirmationData?.[0]?.$
    const endMs = Date.parse(data?.['NotOnOrAfter'] ?? '')
    return (
      one.$?.['Method'] === BEARER &&
      data?.['Recipient'] === answerUrl &&
      data['InResponseTo'] === requestId &&
      Date.now() < endMs + CLOCK_SKEW_MS_MAX
    )
  })
}
