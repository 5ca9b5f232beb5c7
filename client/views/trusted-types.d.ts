/** Trusted Types, which TypeScript's own library does not describe. */
interface TrustedHTML {
  toString(): string
}
interface TrustedTypePolicy {
  createHTML(text: string): TrustedHTML
}
declare var trustedTypes:
  | { createPolicy(name: string, rules: { createHTML(text: string): string }): TrustedTypePolicy }
  | undefined
