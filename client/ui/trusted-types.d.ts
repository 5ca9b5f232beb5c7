/** Trusted Types, which TypeScript's own library does not describe. */
interface TrustedHTML {
  toString(): string
}
interface TrustedScriptURL {
  toString(): string
}
interface TrustedTypePolicy {
  createHTML(text: string): TrustedHTML
  createScriptURL(text: string): TrustedScriptURL
}
interface TrustedTypeRules {
  createHTML(text: string): string
  createScriptURL(): string
}
declare var trustedTypes:
  | { createPolicy(name: string, rules: TrustedTypeRules): TrustedTypePolicy }
  | undefined
