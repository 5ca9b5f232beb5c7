/**
 * A provider of log-ins: OpenID Connect by authorization codes, with PKCE, a nonce and a state. The library checks the
 * issuer, the audience, the times and the signature of each token.
 */

import type { ClientAuth, Configuration } from 'openid-client'
import { OverloadError } from '../../actors/overload-error.ts'
import type { Clock } from '../../domain/clock.ts'
import { isSafeAddress, type LoginProviderSettings } from '../../domain/accounts/login-providers.ts'
import type { Identity } from './apply-identity.ts'
import { boundedFetch, type ProviderRequest } from './bounded-fetch.ts'

/** Milliseconds for which a provider's description is used: its addresses hardly ever change. */
const DESCRIPTION_MS = 3_600_000
/** Log-ins of a provider at a time: one that hangs must not gather requests. */
const LOGINS_MAX = 50
/** Characters of a subject, by OpenID Connect. */
const SUBJECT_LENGTH_MAX = 255
/** Characters of an address or a name that are looked at. */
const CLAIM_LENGTH_MAX = 1_000
/** Groups of a person: an answer has no room for more names. */
const GROUPS_MAX = 10_000

/** The secrets of one log-in, which its browser holds meanwhile. */
export interface LoginSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Thrown if the provider did not log the person in, or rejects the code. */
export class LoginRefusedError extends Error {
  override readonly name = 'LoginRefusedError'
}

/** Thrown if the provider cannot be reached, or its answer is wrong. Has neither tokens nor codes. */
export class LoginProviderError extends Error {
  override readonly name = 'LoginProviderError'
}

/** One provider. Its library is loaded at the first log-in. */
export class LoginProvider {
  readonly settings: LoginProviderSettings
  readonly #clock: Clock
  #described: { readonly configuration: Promise<Configuration>; readonly untilMs: number } | undefined
  #logins = 0

  constructor(settings: LoginProviderSettings, clock: Clock) {
    this.settings = settings
    this.#clock = clock
  }

  /** The address at which a person logs in; the provider sends them back to the other. */
  async authorizationUrl({ state, nonce, verifier }: LoginSecrets, returnUrl: string): Promise<string> {
    return this.#work(async () => {
      const library = await import('openid-client')
      const url = library.buildAuthorizationUrl(await this.#configure(), {
        redirect_uri: returnUrl,
        scope: this.settings.scope,
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      if (!isSafeAddress(url.href)) throw new LoginProviderError('its log-in page has no TLS')
      return url.href
    })
  }

  /** The person who returns with a code; the address is the one of the return, with its query. */
  async identify({ state, nonce, verifier }: LoginSecrets, returned: URL): Promise<Identity> {
    return this.#work(async () => {
      const library = await import('openid-client')
      const configuration = await this.#configure()
      const tokens = await library.authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims || !isSubject(claims.sub)) throw new LoginProviderError('its token names no person')
      // The library compares it only if the token has several audiences.
      if (claims.azp !== undefined && claims.azp !== this.settings.clientId)
        throw new LoginProviderError('its token is for another client')
      const { groupsClaim } = this.settings
      const lacksGroups = groupsClaim !== undefined && lacksClaim(claims, groupsClaim)
      const isAsked = claims.email === undefined || lacksGroups
      const given =
        isAsked && configuration.serverMetadata().userinfo_endpoint !== undefined
          ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims
      // Many providers give these only on request; an address of the token is never mixed with a name of others.
      const person = claims.email === undefined ? given : claims
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: isVerified(person) ? readText(person.email) : undefined,
        fullName: readText(person.name),
        groups: groupsClaim === undefined ? undefined : readGroups(lacksGroups ? given : claims, groupsClaim),
      }
    })
  }

  async #work<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#logins >= LOGINS_MAX) throw new OverloadError('too many log-ins wait for a provider')
    this.#logins++
    try {
      return await work()
    } catch (error) {
      throw await toKnownError(error)
    } finally {
      this.#logins--
    }
  }

  /** The provider's description; concurrent log-ins share one request for it, and a failure is not cached. */
  #configure(): Promise<Configuration> {
    const nowMs = this.#clock.nowMs()
    if (this.#described && nowMs < this.#described.untilMs) return this.#described.configuration
    const described = { configuration: this.#discover(), untilMs: nowMs + DESCRIPTION_MS }
    this.#described = described
    described.configuration.catch(() => {
      if (this.#described === described) this.#described = undefined
    })
    return described.configuration
  }

  async #discover(): Promise<Configuration> {
    const library = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.settings
    const isPlain = new URL(issuer).protocol === 'http:'
    // Basic is the way of the standard; a provider that names its ways may have only the other one.
    const [basic, post] = [library.ClientSecretBasic(clientSecret), library.ClientSecretPost(clientSecret)]
    const authenticate: ClientAuth = (provider, ...rest) => {
      const ways = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      return ways.includes('client_secret_basic') ? basic(provider, ...rest) : post(provider, ...rest)
    }
    return library.discovery(new URL(issuer), clientId, undefined, authenticate, {
      execute: [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])],
      [library.customFetch]: (url, request) => boundedFetch(url, request as ProviderRequest, this.#clock),
    })
  }
}

/**
 * Whether the provider vouches for the address. Microsoft Entra has a claim of its own for that (`xms_edov`): the company owns
 * the domain of the address. It sends it as a truth value, a number or a text.
 */
function isVerified(person: {
  readonly email_verified?: unknown
  readonly [claim: string]: unknown
}): boolean {
  const { email_verified: isOrdinary, xms_edov: isOfCompany } = person
  if (isOrdinary !== undefined) return isOrdinary === true
  return isOfCompany === true || isOfCompany === 1 || isOfCompany === '1' || isOfCompany === 'true'
}

/** The library's errors hold tokens and answers, so only its own words are repeated. */
async function toKnownError(error: unknown): Promise<unknown> {
  if (error instanceof LoginProviderError || error instanceof OverloadError) return error
  const { AuthorizationResponseError, ClientError, ResponseBodyError } = await import('openid-client')
  if (error instanceof AuthorizationResponseError)
    return new LoginRefusedError('the person was not logged in')
  if (error instanceof ResponseBodyError) {
    if (error.error === 'invalid_grant') return new LoginRefusedError('the code was refused')
    return new LoginProviderError(`it answered with ${error.status}`)
  }
  if (error instanceof ClientError) return new LoginProviderError(`${error.message} (${error.code ?? ''})`)
  return new LoginProviderError('it did not answer as it should')
}

function isSubject(subject: string): boolean {
  return subject !== '' && subject.length <= SUBJECT_LENGTH_MAX && !/\p{Cc}/u.test(subject)
}

/** Whether claims neither have a claim nor say where else it is: Entra ID leaves out more than 200 groups so. */
function lacksClaim(claims: Readonly<Record<string, unknown>>, name: string): boolean {
  const elsewhere = claims._claim_names
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name)
  return claims[name] === undefined && !isElsewhere
}

/** Some providers send one group as a text. A list that is not whole counts as none: it would take rights away. */
function readGroups(claims: Readonly<Record<string, unknown>>, name: string): readonly string[] | undefined {
  const value = claims[name]
  const groups: unknown = typeof value === 'string' ? [value] : value
  if (!Array.isArray(groups) || groups.length > GROUPS_MAX) return undefined
  return groups.every((one) => typeof one === 'string') ? groups : undefined
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= CLAIM_LENGTH_MAX ? value.trim() : undefined
}
