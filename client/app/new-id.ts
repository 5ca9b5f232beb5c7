/** Random ids. */

/** A text that nobody else has. Browsers have `crypto.randomUUID` only over TLS and on the machine itself. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
