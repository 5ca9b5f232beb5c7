/**
 * The tokens with which users start calls at the provider. A key derived from the client's secret seals them, so the
 * database alone gives nobody access. With another secret the tokens cannot be opened; the provider would reject
 * them anyway.
 */

import type { CallProviderSettings } from '../../domain/organization/call-provider.ts'
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import type { Sql } from '../../../db/connection/connect.ts'
import {
  findProviderToken,
  renewProviderToken,
  type StoredProviderToken,
  storeProviderToken,
} from '../../../db/accounts/provider-tokens.ts'
import { OverloadError } from '../../actors/overload-error.ts'
import type { Clock } from '../../domain/clock.ts'
import type { UserId } from '../../domain/ids.ts'
import {
  authorizationUrl,
  exchangeCode,
  type Grant,
  GrantRefusedError,
  type MadeCall,
  makeCall,
  refreshGrant,
} from './call-provider.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** A token that expires within this time is renewed before its use. */
const SPARE_MS = 60_000
/** Renewals that may wait in a process. Each holds a connection while the provider answers, so one runs at a time. */
const RENEWALS_WAITING_MAX = 50

/** A user's access to the provider. */
export type Access =
  | { readonly kind: 'none' }
  /** There was a token, but the provider rejects it. */
  | { readonly kind: 'refused'; readonly tokenId: string }
  | { readonly kind: 'granted'; readonly tokenId: string; readonly accessToken: string }

/** Calls at the provider that the operator configured. */
export class Calls {
  readonly #sql: Sql
  readonly #clock: Clock
  readonly #settings: CallProviderSettings
  readonly #key: Buffer
  #renewing: Promise<unknown> = Promise.resolve()
  #renewalsWaiting = 0

  constructor(sql: Sql, clock: Clock, settings: CallProviderSettings) {
    this.#sql = sql
    this.#clock = clock
    this.#settings = settings
    this.#key = Buffer.from(hkdfSync('sha256', settings.clientSecret, '', 'tokens of video calls', 32))
  }

  /** The provider's name for people. */
  get name(): string {
    return new URL(this.#settings.url).hostname
  }

  /** The address at which a user allows calls in their name. */
  authorizationUrl(state: string, redirectUrl: string): string {
    return authorizationUrl(this.#settings, state, redirectUrl)
  }

  /** Stores the grant of a code; answers its id for an event. Rejects if the provider rejects the code. */
  async redeem(userId: UserId, code: string, redirectUrl: string): Promise<string> {
    const grant = await exchangeCode(this.#settings, code, redirectUrl)
    const id = randomUUID()
    await storeProviderToken(
      this.#sql,
      userId,
      { id, ...this.#store(id, userId, grant) },
      this.#clock.nowMs(),
    )
    return id
  }

  /** A user's access, renewed if it expires soon. Rejects if the provider cannot be reached for that. */
  async findAccess(userId: UserId): Promise<Access> {
    const token = await findProviderToken(this.#sql, userId)
    if (!token) return { kind: 'none' }
    const grant = this.#open(token, userId)
    if (!grant) return { kind: 'refused', tokenId: token.id }
    if (!this.#isOver(token)) return { kind: 'granted', tokenId: token.id, accessToken: grant.accessToken }
    return this.#renew(userId, token.id)
  }

  /** Makes a call at the provider. */
  makeCall(accessToken: string, isVideo: boolean): Promise<MadeCall> {
    return makeCall(this.#settings, accessToken, isVideo)
  }

  async #renew(userId: UserId, tokenId: string): Promise<Access> {
    if (this.#renewalsWaiting >= RENEWALS_WAITING_MAX) throw new OverloadError('too many tokens wait')
    this.#renewalsWaiting++
    const renewed = this.#renewing.then(async () =>
      renewProviderToken(this.#sql, userId, async (token) => {
        if (!this.#isOver(token)) return undefined // Another call has renewed it.
        const refreshToken = this.#open(token, userId)?.refreshToken
        if (refreshToken == null) throw new GrantRefusedError('there is nothing to renew it with')
        return this.#store(token.id, userId, await refreshGrant(this.#settings, refreshToken))
      }),
    )
    this.#renewing = renewed.catch(() => undefined) // The caller who waits for it gets the error.
    try {
      const token = await renewed
      const grant = token && this.#open(token, userId)
      if (!token || !grant) return { kind: 'none' }
      return { kind: 'granted', tokenId: token.id, accessToken: grant.accessToken }
    } catch (error) {
      if (error instanceof GrantRefusedError) return { kind: 'refused', tokenId }
      throw error
    } finally {
      this.#renewalsWaiting--
    }
  }

  #isOver({ expiresAt }: Pick<StoredProviderToken, 'expiresAt'>): boolean {
    return expiresAt !== null && expiresAt.getTime() - SPARE_MS <= this.#clock.nowMs()
  }

  #store(id: string, userId: UserId, { secondsLeft, ...tokens }: Grant): Omit<StoredProviderToken, 'id'> {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, iv).setAAD(subject(id, userId))
    const text = Buffer.concat([cipher.update(JSON.stringify(tokens), 'utf8'), cipher.final()])
    return {
      sealed: Buffer.concat([iv, cipher.getAuthTag(), text]),
      expiresAt: secondsLeft === null ? null : new Date(this.#clock.nowMs() + secondsLeft * 1000),
    }
  }

  /** The tokens of a row; undefined if another key sealed them. */
  #open({ id, sealed }: StoredProviderToken, userId: UserId): Omit<Grant, 'secondsLeft'> | undefined {
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, sealed.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(subject(id, userId))
        .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      const text = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
      return JSON.parse(text.toString('utf8')) as Omit<Grant, 'secondsLeft'>
    } catch {
      return undefined
    }
  }
}

/** The additional data of a sealed text, so that a row's text is valid in no other row. */
function subject(id: string, userId: UserId): Buffer {
  return Buffer.from(`${id} ${userId}`)
}
