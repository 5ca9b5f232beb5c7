/** Names in mails: people choose them, and strangers read them with trust in this server. */

/** Characters of a name in a mail. */
const LENGTH_MAX = 60

/**
 * A name as one line that mail programs do not turn into a link or an address: `evil.example/x` becomes
 * `evil. example x`.
 */
export function plainName(name: string): string {
  const line = name
    .normalize('NFKC') // Wide forms of dots and slashes are links, too.
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ') // Line breaks end a header; marks of direction disguise text.
    .replaceAll(/[/\\:<>]+/g, ' ')
    .replaceAll('@', ' at ')
    .replaceAll(/[.。]+(?=\S)/gu, '. ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return Array.from(line).slice(0, LENGTH_MAX).join('').trim()
}
