/** Passwords and API keys: a slow hash for passwords, a fast one for random keys. */

import { hash, randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { type Asker, HashTurns } from './hash-turns.ts'

const derive = promisify<
  string | Buffer,
  Buffer,
  number,
  { N: number; r: number; p: number; maxmem: number },
  Buffer
>(scrypt)

/**
 * A cost of scrypt that OWASP recommends. With twice the `N` and half the `p` a guess takes as long, but twice the memory,
 * which a small server lacks.
 */
const COST = { N: 2 ** 16, r: 8, p: 2, maxmem: 128 * 1024 * 1024 }
type Cost = typeof COST
const SALT_BYTES = 16
const HASH_BYTES = 32
const KEY_LENGTH = 32
const KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Makes and checks password hashes, a few at a time. */
export class Passwords {
  readonly #turns = new HashTurns()
  /** A hash of no password, for log-ins to unknown accounts, so that these take as long. */
  readonly #decoy: string
  readonly #cost: Cost

  /** An `N` below the recommended one is for tests: its hashes are weak. */
  constructor({ N = COST.N }: { readonly N?: number } = {}) {
    this.#cost = { ...COST, N }
    this.#decoy = this.#encode(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES))
  }

  /**
   * `scrypt$N$r$p$salt$hash`, with salt and hash in base64. Only for askers who have proved something, such as by the link of
   * a mail. Rejects with an `OverloadError` if too many wait.
   */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const key = await this.#turns.run('known', () => deriveKey(password, salt, this.#cost))
    return this.#encode(salt, key)
  }

  #encode(salt: Buffer, key: Buffer): string {
    const { N, r, p } = this.#cost
    return `scrypt$${N}$${r}$${p}$${salt.toString('base64')}$${key.toString('base64')}`
  }

  /**
   * Whether a password matches a stored hash. Without a hash it takes as long and answers false. Rejects
   * with an `OverloadError` if too many wait.
   */
  verify(password: string, stored: string | undefined, asker: Asker = 'known'): Promise<boolean> {
    return this.#turns.run(asker, () => this.#verify(password, stored))
  }

  async #verify(password: string, stored: string | undefined): Promise<boolean> {
    const { cost, salt, key: expected } = parseStored(stored ?? this.#decoy)
    const key = await deriveKey(password, salt, cost)
    const isRight = timingSafeEqual(key, expected) && stored !== undefined
    if (!isRight) await this.#makeUp(password, salt, cost)
    return isRight
  }

  /** Whether a stored hash is cheaper to guess than one made now. */
  isOutdated(stored: string): boolean {
    return workOf(parseStored(stored).cost) < workOf(this.#cost)
  }

  /** Takes the time by which an older hash is cheaper, so that a refusal does not tell that an account has one. */
  async #makeUp(password: string, salt: Buffer, cost: Cost): Promise<void> {
    const { N, r } = this.#cost
    const p = Math.round((workOf(this.#cost) - workOf(cost)) / (N * r))
    if (p > 0) await deriveKey(password, salt, { ...this.#cost, p })
  }
}

function deriveKey(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return derive(password.normalize('NFKC'), salt, HASH_BYTES, cost)
}

function parseStored(stored: string): { readonly cost: Cost; readonly salt: Buffer; readonly key: Buffer } {
  const [, n, r, p, salt, key] = stored.split('$')
  return {
    cost: { ...COST, N: Number(n), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt ?? '', 'base64'),
    key: Buffer.from(key ?? '', 'base64'),
  }
}

function workOf({ N, r, p }: Cost): number {
  return N * r * p
}

/** A new API key: 32 random letters and digits. */
export function createApiKey(): string {
  return Array.from({ length: KEY_LENGTH }, () => KEY_ALPHABET[randomInt(KEY_ALPHABET.length)]).join('')
}

/** A new API key, with its stored form. */
export function newApiKey(): { readonly apiKey: string; readonly keyHash: string } {
  const apiKey = createApiKey()
  return { apiKey, keyHash: hashApiKey(apiKey) }
}

/** The stored form of an API key: it is random, so a fast hash protects it. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex')
}

/** Whether a text has the form of an API key. */
export function isApiKey(key: string): boolean {
  return /^[A-Za-z0-9]{32}$/.test(key)
}
