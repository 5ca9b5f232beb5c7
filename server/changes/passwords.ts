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

/** OWASP's recommended cost of scrypt: 64 MiB and some tenths of a second for each guess. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 }
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
    const [, n, r, p, salt, expected] = (stored ?? this.#decoy).split('$')
    const cost = { ...COST, N: Number(n), r: Number(r), p: Number(p) }
    const key = await deriveKey(password, Buffer.from(salt ?? '', 'base64'), cost)
    return timingSafeEqual(key, Buffer.from(expected ?? '', 'base64')) && stored !== undefined
  }
}

function deriveKey(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return derive(password.normalize('NFKC'), salt, HASH_BYTES, cost)
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
