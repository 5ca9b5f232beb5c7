/**
 * One-time pads of mobile apps. An app opens a browser for the log-in and gets the API key by an address, which other
 * apps of the device might see; the pad, which only the app has, hides the key.
 */

/** As many bytes as an API key has characters, in hex. */
const PAD = /^[0-9a-f]{64}$/i

/** Whether a text is a pad. */
export function isPad(text: string): boolean {
  return PAD.test(text)
}

/** An API key, combined with a pad by exclusive or, in hex. */
export function hideKey(apiKey: string, pad: string): string {
  return combine(Buffer.from(apiKey, 'latin1'), pad).toString('hex')
}

/** A pad, combined with another by exclusive or, in hex; combined with it once more, it is the pad again. */
export function hidePad(pad: string, other: string): string {
  return combine(Buffer.from(pad, 'hex'), other).toString('hex')
}

function combine(bytes: Buffer, pad: string): Buffer {
  const others = Buffer.from(pad, 'hex')
  return Buffer.from(bytes.map((byte, index) => byte ^ (others[index] ?? 0)))
}
